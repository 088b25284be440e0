"""A refusal as the user is told it: at a place, and of a function, that they wrote or called.

`linalg.qz(a, b)` of SciPy is inlined, and what cannot be differentiated stands in `_util.py`, in
what SciPy has wrapped around it. The message speaks of `scipy.linalg.qz`; the rest is the reason.
"""

from __future__ import annotations

from pathlib import PurePath

from autodiff.errors import (
    AutodiffError,
    InternalError,
    MissingRuleError,
    SourceNotFoundError,
    UnsupportedSyntaxError,
)
from autodiff.loader import at_the_users
from autodiff.syntax.origin import Entry, Origin

REFUSED = (UnsupportedSyntaxError, MissingRuleError, SourceNotFoundError)
"""Refusals of what is written, whatever the arguments are."""

"""Refusals that may be of a part that does not run for the types of these arguments."""


def refusal(error: AutodiffError) -> AutodiffError:
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
    return MissingRuleError.of(entry.function, here, title=entry.title, why=why)
