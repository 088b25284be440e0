"""Classes that objects are asked about: `isinstance`."""

from __future__ import annotations

from types import UnionType
from typing import get_args, get_origin

import numpy as np

from autodiff.core import NotYet, Value
from autodiff.kinds.kind import Numeric, Scalar
from autodiff.lower.entries import Entry, outer
from autodiff.lower.entries.entry import Outer, Pack
from autodiff.lower.expression.expressions import Expressions


def is_none_of(entry: Entry, wanted: list[type]) -> bool:
    """Whether a number or array, whichever it is, is of no class of these."""
    if not isinstance(entry, Value) or not isinstance(entry.kind, (Numeric, Scalar)):
        return False
    array = (np.ndarray,) if isinstance(entry.kind, Numeric) else ()
    numbers: tuple[type, ...] = (np.generic, bool, int, float, complex, *array)
    return not any(
        issubclass(own, numbers) or issubclass(c, own) for own in wanted for c in numbers
    )


def classes_of(expressions: Expressions, entry: Entry) -> list[type]:
    """The classes that an object is asked about: one, a tuple of such, or `int | float`."""
    if isinstance(entry, Outer) and entry.cls is tuple:
        entry = outer.read_now(expressions, entry)
    if isinstance(entry, Pack) and entry.cls is tuple:
        return [each for item in entry.items for each in classes_of(expressions, item)]
    found = entry.constant if isinstance(entry, Value) else getattr(entry, "object", None)
    if isinstance(found, UnionType):
        return [type(None) if each is None else each for each in found.__args__]
    if not get_args(found):  # `typing.Sequence`
        found = get_origin(found) or found
    if not isinstance(found, type):
        raise NotYet("a test of a class")
    return [found]
