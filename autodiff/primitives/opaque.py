"""Calls of which nothing is known, and what they give."""

from __future__ import annotations

import functools
import random
import sys
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodDescriptorType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

import numpy as np

from autodiff.analysis.drawn import DRAWING
from autodiff.analysis.kind import GENERATORS, Drawing, Kind, Scalar, Text
from autodiff.core.operation import Apply, Operation
from autodiff.core.value import Value
from autodiff.primitives.looking import CLOCKS
from autodiff.primitives.primitive import Primitive
from autodiff.rules.home import hashable

OPAQUE = Drawing((object,))
"""The kind of what such a call gives: it carries no derivative, and is asked by further calls."""
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


def given_by(function: Any) -> Kind:
    """The kind of what a callable gives of which is known at most that."""
    if isinstance(getattr(function, "__self__", None), random.Random):
        return _OF_RANDOM.get(function.__name__, OPAQUE)
    if not hashable(function):
        return OPAQUE
    if function in DRAWING:
        made: Kind = DRAWING[function](None, None)
        return made
    made_by = Drawing((function,)) if isinstance(function, type) else OPAQUE
    return CONVERTING.get(function) or CLOCKS.get(function) or made_by


def given_by_method(function: Value) -> Kind:
    """The kind of what an attribute gives that is called."""
    op = function.op
    base = op.operands[0].kind if op is not None and op.operands else None
    if base != Drawing((random.Random,)):
        return OPAQUE
    return _OF_RANDOM.get(getattr(getattr(op, "form", None), "attr", ""), OPAQUE)


def is_of_library(found: Any) -> bool:
    """Whether an object runs no code of the user's by itself, as what is made of a function may."""
    if isinstance(found, np.ufunc):
        return getattr(np, found.__name__, None) is found
    if isinstance(found, functools._lru_cache_wrapper):
        return is_of_library(found.__wrapped__)
    owner = getattr(found, "__self__", None)
    if owner is not None and not isinstance(owner, ModuleType):
        return is_of_library(owner)
    if isinstance(found, (MethodDescriptorType, WrapperDescriptorType)):
        found = found.__objclass__
    named = isinstance(found, (type, FunctionType, BuiltinFunctionType))
    if callable(found) and not named:
        return False
    module = getattr(found if named else type(found), "__module__", None) or ""
    return module.partition(".")[0] in (*sys.stdlib_module_names, "numpy", "scipy")


def is_vague(kind: Kind) -> bool:
    """Whether nothing is known of a value but that it carries no derivative."""
    return isinstance(kind, Drawing) and kind.classes[0] not in GENERATORS


def is_opaque(entry: Any) -> bool:
    """Whether an entry is a value of which nothing is known but that."""
    return isinstance(entry, Value) and is_vague(entry.kind)


def is_world(op: Operation) -> bool:
    """Whether an operation may read and change what is outside."""
    return isinstance(op, Apply) and bool(op.outside)
