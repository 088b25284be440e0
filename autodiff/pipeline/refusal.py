"""What Core does not take, as the user is told it: what, where, why, and what to do about it.

The words come with the `NotYet` where these are known best. The place is the innermost one that
lowering and the passes noted (`core/located.py`), in the user's file: `linalg.qz(a, b)` of SciPy is
inlined, and what cannot be differentiated stands in what SciPy has wrapped around it. The message
speaks of `scipy.linalg.qz`; the rest is the reason.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import PurePath
from types import FunctionType
from typing import Any

from autodiff.core import NotYet, Spot, Unseen, located
from autodiff.errors import (
    AutodiffError,
    InternalError,
    MissingRuleError,
    NativeError,
    SourceNotFoundError,
    UnsupportedSyntaxError,
)
from autodiff.frontend.source import source
from autodiff.loader import at_the_users
from autodiff.rules.foreign_arrays import is_foreign_array, numbers_of
from autodiff.syntax.origin import Entry, Origin, entered, origin_of

REFUSED = (UnsupportedSyntaxError, MissingRuleError, SourceNotFoundError)
"""Refusals of what is written, whatever the arguments are."""


def refused(error: Exception, function: FunctionType, native: bool = False) -> AutodiffError:
    """The refusal of a derivative of a function. native: only Numba stands in the way."""
    at, words = located(error), worded(error, function, native)
    place: Any = words.origin
    if place is None:
        place = at.place if at is not None else definition(function)
    elif at is not None and at.entry is not None and isinstance(place, Origin):
        place = entered(place, at.entry)
    return type(words)(words.what, place, why=words.why, cure=words.cure)


def worded(error: Exception, function: FunctionType, native: bool) -> AutodiffError:
    """What is said; an error that nobody foresaw is a fault of autodiff."""
    if isinstance(error, AutodiffError) and not isinstance(error, InternalError):
        return error
    if isinstance(error, Unseen):
        return UnsupportedSyntaxError(error.what, error.origin, why=error.why, cure=error.cure)
    cure = aside(located(error), function)
    if not isinstance(error, NotYet):
        fault = getattr(error, "what", f"{type(error).__name__}: {error}")
        return InternalError(
            f"autodiff breaks on this: {fault}",
            why="the mistake is in autodiff, not in your code",
            cure=f"please report it, with the function; until it is mended, {cure}",
        )
    if error.words is not None:
        return error.words
    if native:
        return NativeError(
            f"cannot compile this natively: {error.reason.removeprefix('natively, ')}",
            why="the native backend does not take that, or not without giving other numbers",
            cure='leave backend="numba" out: Python runs the same derivative',
        )
    return UnsupportedSyntaxError(
        f"cannot differentiate this: {error.reason}",
        why="autodiff does not follow that, and a derivative without it may be wrong",
        cure=cure,
    )


def aside(at: Spot | None, function: FunctionType) -> str:
    """How to keep the compiler away from a place."""
    inside = at.inside if at is not None and at.entry is None else None
    own = function if inside is None else inside
    name = getattr(own, "__name__", own)
    if name == function.__name__ or not str(name).isidentifier() or name == "function":
        return "move it to a function of its own that has a derivative by @custom(vjp=...)"
    return f"give `{name}` a derivative with @custom(vjp=...)"


def definition(function: FunctionType) -> Origin | None:
    """Where a function is defined; None if its source is not found."""
    try:
        tree = source(function).tree
    except AutodiffError:
        return None
    origin = origin_of(tree)
    return None if origin is None else replace(origin, text="")


def in_the_users_file(error: AutodiffError) -> AutodiffError:
    """The error at a place in the user's file; one in a library, of the function called there."""
    place = error.origin
    entry = place.entry if isinstance(place, Origin) else None
    if entry is not None and not isinstance(error, InternalError):
        return _of_call(error, entry)
    place = at_the_users(place)
    if place is error.origin:
        return error
    return type(error)(error.what, place, why=error.why, cure=error.cure)


def _of_call(error: AutodiffError, entry: Entry) -> AutodiffError:
    """The error for the call that led into a library, in which `error` is the reason."""
    here = at_the_users(entry.place)
    assert error.origin is not None
    where = f"line {error.origin.line} of {PurePath(error.origin.file).name}"
    if not isinstance(error, REFUSED):  # the derivative is there, but not for these arguments
        what = f"{error.what} (in {entry.title}, {where})"
        return type(error)(what, here, why=error.why, cure=error.cure)
    why = f"it has none, and its own source cannot be differentiated ({where}): {error.what}"
    owner = _owner(entry.function)
    if owner is not None and is_foreign_array(owner):
        what = f"no derivative rule for {entry.title}, of an array of another library"
        cure = f"call it on the array of NumPy with the same numbers, {numbers_of('...', owner)}"
        return MissingRuleError(what, here, why=why, cure=cure)
    return MissingRuleError.of(entry.function, here, title=entry.title, why=why)


def _owner(function: Any) -> type | None:
    """The class that a method is of; None for others."""
    found: Any = sys.modules.get(getattr(function, "__module__", None) or "")
    for name in getattr(function, "__qualname__", "").split(".")[:-1]:
        found = getattr(found, name, None)
    return found if isinstance(found, type) else None
