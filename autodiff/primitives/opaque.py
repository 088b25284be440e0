"""Calls of which nothing is known, and what they give; calls that only look at what is given."""

from __future__ import annotations

import copy
import math
import random
import time
import warnings
from typing import Any

import numpy as np

from autodiff.core import Apply, Operation, Value
from autodiff.kinds.drawn import DRAWING
from autodiff.kinds.kind import GENERATORS, Drawing, Kind, Scalar, Static, Text, number
from autodiff.primitives.executing import is_of_library
from autodiff.primitives.memory import claim_of
from autodiff.primitives.primitive import Primitive
from autodiff.primitives.table import primitive_of
from autodiff.rules import registry
from autodiff.rules.home import hashable, home, module_of

OPAQUE = Drawing((object,))
"""The kind of what such a call gives: it carries no derivative, and is asked by further calls."""
MADE = Drawing((np.generic, np.ndarray))
"""The kind of what NumPy makes of numbers and texts alone: nothing in it runs the user's code."""
KEY = Drawing((int, str))
"""The kind of what is a number that is counted with, or a text."""
CALL = Primitive(None, "opaque", memory="unknown", pure=False, raises=True)
"""Such a call: it comes once, in its place, and may read, change and give all that it can reach."""
ASKED = Primitive(None, "opaque", memory="new", pure=False, raises=True)
"""Such a call that gives a number, a text or new memory."""

CONVERTING: dict[Any, Kind] = {cls: Scalar(cls.__name__) for cls in (bool, int, float, complex)}
CONVERTING |= {
    len: Scalar("int"),
    hash: Scalar("int"),
    id: Scalar("int"),
    str: Text(),
    repr: Text(),
}
"""What gives a number or a text whatever it is given."""
REFORMING = frozenset(("resize", "__setstate__", "setfield", "setflags"))
"""Methods of arrays that change what is known of them while compiling."""


_FLOATS = (
    "random uniform gauss normalvariate betavariate expovariate gammavariate triangular".split()
)
_OF_RANDOM = dict.fromkeys(_FLOATS, Scalar("float")) | dict.fromkeys(
    ("randint", "randrange", "getrandbits"), Scalar("int")
)
"""What methods of Python's generator of random numbers give."""


def given_by(function: Any, plain: bool = False) -> Kind:
    """The kind of what a callable gives of which is known at most that. plain: for numbers and
    texts alone.
    """
    if isinstance(getattr(function, "__self__", None), random.Random):
        return _OF_RANDOM.get(function.__name__, OPAQUE)
    if not hashable(function):
        return OPAQUE
    if function in DRAWING:
        made: Kind = DRAWING[function](None, None)
        return made
    alone = MADE if plain and primitive_of(function).pure else OPAQUE
    made_by = Drawing((function,)) if isinstance(function, type) else alone
    return CONVERTING.get(function) or CLOCKS.get(function) or made_by


def given_by_method(function: Value) -> Kind:
    """The kind of what an attribute gives that is called."""
    op = function.op
    base = op.operands[0].kind if op is not None and op.operands else None
    if base != Drawing((random.Random,)):
        return OPAQUE
    return _OF_RANDOM.get(getattr(getattr(op, "form", None), "attr", ""), OPAQUE)


_LONG = 128
"""Dicts that are longer are not read key by key."""


def may_run(kind: Kind) -> bool:
    """Whether what is asked of a value may run code of the user's."""
    if isinstance(kind, Static):
        return not is_of_library(kind.value)
    return isinstance(kind, Drawing) and any(
        cls is object or not is_of_library(cls) for cls in kind.classes
    )


def is_literal(key: Any) -> bool:
    """Whether a key can be written down."""
    if type(key) is tuple:
        return all(map(is_literal, key))
    plain = type(key) in (str, int, bool, bytes, type(None))
    return plain or type(key) is float and math.isfinite(key)


def is_table(found: Any) -> bool:
    """Whether something is a dict that may be read key by key."""
    return type(found) is dict and len(found) <= _LONG and all(map(is_literal, found))


def is_vague(kind: Kind) -> bool:
    """Whether nothing is known of a value but that it carries no derivative."""
    return isinstance(kind, Drawing) and kind.classes[0] not in GENERATORS


def is_opaque(entry: Any) -> bool:
    """Whether an entry is a value of which nothing is known but that."""
    return isinstance(entry, Value) and is_vague(entry.kind)


def is_world(op: Operation) -> bool:
    """Whether an operation may read and change what is outside."""
    return isinstance(op, Apply) and bool(op.outside)


_LOOKING = frozenset((print, warnings.warn, warnings.warn_explicit, copy.deepcopy))
"""What says something, or makes something new."""
_SILENT = frozenset("logging math pprint time warnings json string re datetime os pathlib".split())
"""Modules whose functions and objects only look at what they are given."""

_CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "thread_time")
CLOCKS: dict[Any, Kind] = {
    getattr(time, name + suffix): number(cls)
    for name in _CLOCKS
    for suffix, cls in (("", "float"), ("_ns", "int"))
}
"""What the clocks of outside give, each time something else."""


def only_looks(function: Any) -> bool:
    """Whether a function changes nothing that it is given, but something outside.

    >>> import logging
    >>> only_looks(print), only_looks(logging.getLogger("a").info), only_looks([].append)
    (True, True, False)
    """
    if primitive_of(function).pure or isinstance(function, type) or not hashable(function):
        return False
    owner = function if isinstance(function, np.ufunc) else getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc):  # one that is made of a function runs the user's code
        return getattr(function, "__name__", "") != "at" and home(owner)[0] is not None
    if registry.is_nondifferentiable(function):
        return claim_of(function).memory == "new"
    return function in _LOOKING or module_of(function).partition(".")[0] in _SILENT


def only_warns(manager: Any) -> bool:
    """Whether a context manager changes what is warned about, not what is computed."""
    return manager in (np.errstate, warnings.catch_warnings)


def sets_warnings(function: Any) -> bool:
    """Whether a function changes what is warned about, until its context is left."""
    return function in (warnings.simplefilter, warnings.filterwarnings, np.seterr)
