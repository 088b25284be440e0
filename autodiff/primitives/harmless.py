"""What is known of functions of libraries: which arguments they write to, and whether they lend.

    np.sum(w)        writes to nothing, returns a new number
    np.flipud(w)     writes to nothing, lends: the result may be memory of `w`
    np.exp(w, w)     writes to its second argument

Where nothing is known, a function may write to all that it is given, and return it.
"""

from __future__ import annotations

import builtins
import functools
import inspect
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from autodiff import runtime
from autodiff.primitives.memory import claim_of
from autodiff.rules import registry
from autodiff.rules.home import home, module_of
from autodiff.runtime import zeros_like

Given = dict["str | int", Any]
"""The arguments by place or name: what is written there as a constant, else `...`."""


class Told(NamedTuple):
    """What a call writes to, by place or name, "" being the owner of a method."""

    writes: tuple[str | int, ...] = ()
    lends: bool = False
    stores: bool = False
    """Whether the owner of the method holds what is given afterwards."""
    lent: tuple[str | int, ...] | None = None
    """Which arguments are lent, by place or name; None: all."""
    runs: bool = True
    """Whether functions that are given, or held, may be run."""


_SILENT = frozenset("logging math pprint time warnings json string re datetime os pathlib".split())
"""Modules whose functions and objects only look at what they are given."""

_PASSING = frozenset("collections copy functools itertools types".split())
"""Modules whose functions put what they are given together, or give it to functions."""

_BUILTINS = frozenset(
    "zip map filter enumerate iter next reversed getattr dict set frozenset super memoryview print "
    "list tuple sorted max min sum slice type object property".split()
)
"""Builtins that return what they are given, or put it together; other pure ones make numbers."""


def told(function: Any, given: Given) -> Told | None:
    """What is known of a call of a function; None where that is nothing."""
    owner = getattr(function, "__self__", None)
    own = getattr(function, "__name__", "")
    ufunc = function if isinstance(function, np.ufunc) else owner
    if isinstance(ufunc, np.ufunc):
        place = ufunc.nin if ufunc is function else 3
        known = Told((0,)) if own == "at" else Told(_beyond(place, given))
        return None if home(ufunc)[0] is None else known  # that of a function runs the user's code
    module = module_of(function).partition(".")[0]
    if own in _BUILTINS and getattr(builtins, own) is function:
        return Told(lends=True)
    if registry.is_vouched_for(function):
        return Told(lends=True)
    if registry.is_pure(function) or registry.is_nondifferentiable(function):
        if module == "builtins":
            return Told()
        written = written_places(function, given)
        new = _is_new(function, given) and not _may_hold(own, given)
        runs, lent = _runs(function), _lent(function, given)
        return Told(written, bool(written) or not new, lent=lent, runs=runs)
    if module == "autodiff":
        writes = (0,) if function in runtime.CHANGING else ()
        return Told(writes, True, lent=_lent(function, given), runs=_runs(function))
    if module in _SILENT or module == "copy" and own == "deepcopy":
        return Told()
    if _is_of_dense_scipy(function):
        return Told(written_places(function, given), lends=True)
    return Told(lends=True) if module in _PASSING else None


def _is_new(function: Any, given: Given) -> bool:
    """Whether a call gives new memory."""
    claim = claim_of(function)
    unless = {key for slot in claim.unless for key in (slot.position, slot.name)}
    return claim.memory == "new" and unless.isdisjoint(given)


def _lent(function: Any, given: Given) -> tuple[str | int, ...] | None:
    """Which arguments the result of a helper of ours may share memory with; None: any."""
    if _runs(function):
        return None
    if function is zeros_like:
        return ()
    signature, names = _lending(function)
    place = [*signature.parameters]
    known = {k: place[k] if isinstance(k, int) and k < len(place) else k for k in given}
    return tuple(k for k, own in known.items() if own in names or own not in place)


@functools.cache
def _lending(function: Any) -> tuple[inspect.Signature, frozenset[str]]:
    """The signature of a helper, and the parameters that its result may share memory with.

    Where the first one is an adjoint, `g`, it is no other: an adjoint is a new array, or a view
    of another adjoint. `like` only gives a form.
    """
    signature = inspect.signature(function)
    names = [*signature.parameters]
    if signature.return_annotation in ("bool", "float", "int", "str", "None"):  # no memory
        return signature, frozenset()
    return signature, frozenset(names[:1] if names[0] == "g" else names) - {"like"}


@functools.cache
def _runs(function: Any) -> bool:
    """Whether a function may run what it is given: any but helpers of ours, by their signature."""
    if not module_of(function).startswith("autodiff.runtime"):
        return True
    own = inspect.signature(function).parameters.values()
    return any("Callable" in str(parameter.annotation) for parameter in own)


def _is_of_dense_scipy(function: Any) -> bool:
    """Public functions of SciPy write to what `out`, `output` and `overwrite_...` say; those on
    sparse matrices also to lists that a caller keeps for them.
    """
    module = module_of(function)
    if not isinstance(function, FunctionType) or function.__name__.startswith("_"):
        return False
    return module.startswith("scipy.") and not module.startswith("scipy.sparse")


def _may_hold(own: str, given: Given) -> bool:
    """Whether a function that makes arrays may make a view, or one of objects, after all."""
    makes_objects = any(value in ("O", "object") for value in given.values())
    return makes_objects or "dtype" in given or own == "einsum" and len(given) < 4


def _beyond(place: int, given: Given) -> tuple[str | int, ...]:
    return tuple(k for k in given if k in ("out", "**") or isinstance(k, int) and k >= place)


def written_places(function: Any, given: Given) -> tuple[str | int, ...]:
    """What a function writes to that changes nothing unless it is told to."""
    names = [own for own in by_place(function) if own != "self"]
    place = next((k for k, own in enumerate(names) if own in ("out", "output")), len(given))
    for key, value in given.items():
        own = names[key] if isinstance(key, int) and key < len(names) else str(key)
        if own.startswith("overwrite") and value is not False:
            return tuple(given)
        if own == "copy" and value is not True and function is np.nan_to_num:
            return tuple(given)
    found = (k for k in given if k in ("out", "output", "**", "*") or k == place)
    return tuple(key for key in found if given[key] is not None)


def by_place(function: Any) -> tuple[str, ...]:
    """The names of the parameters that may be given by place; none where they are not known."""
    try:
        return _by_place(function)
    except TypeError:  # not hashable
        return ()


@functools.cache
def _by_place(function: Any) -> tuple[str, ...]:
    try:
        found = inspect.signature(function).parameters.values()
        return tuple(p.name for p in found if p.kind not in (p.KEYWORD_ONLY, p.VAR_POSITIONAL))
    except (TypeError, ValueError):  # in C: the signature stands in the documentation
        text = (getattr(function, "__doc__", None) or "").partition("(")[2].partition(")")[0]
        positional = text.partition("*")[0].split(",")
        return tuple(part.strip().partition("=")[0] for part in positional)
