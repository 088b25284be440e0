"""The kinds of what is done to adjoints, in a gradient that is differentiated again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gast

from autodiff.kinds.kind import (
    UNKNOWN,
    Array,
    Kind,
    Numeric,
    Record,
    Scalar,
    Sequence,
    adjoint_kind,
    forget_values,
    is_inexact,
    used,
)
from autodiff.kinds.operation import Operation
from autodiff.kinds.results import library_kind
from autodiff.runtime import split, stored, unbroadcast

if TYPE_CHECKING:
    from autodiff.kinds.known import Kinds


def _unbroadcast(kinds: Kinds, operation: Operation) -> Kind:
    """What was brought to the shape and dtype of an array, whatever it was before."""
    given = [*operation.arguments, *(value for _, value in operation.keywords)]
    own = [kinds.of(argument) for argument in given]
    like = used(own[-1])
    if isinstance(like, Array) and (like.dtype is None or is_inexact(like)):
        return like
    if isinstance(own[0], (Array, Scalar, Numeric)) and getattr(like, "cls", None) in (list, tuple):
        return _of_numbers(like)
    found = library_kind(operation.function, False, own, [])
    numeric = Array, Numeric, Scalar
    if not isinstance(like, numeric):  # it is a list where that is one
        return UNKNOWN if isinstance(found, numeric) else found
    return Numeric() if found == UNKNOWN and isinstance(own[0], numeric) else found


def _of_numbers(like: Kind | None) -> Kind:
    """The kind of the adjoint of a list of numbers or arrays that NumPy took for an array.

    It is built from an array, which has a number, or a row, for each item.
    """
    if isinstance(like, Record):
        return Record(like.cls, like.keys, tuple(map(_of_numbers, like.items)))
    if isinstance(like, Sequence):
        return replace(like, item=_of_numbers(like.item))
    return adjoint_kind(like) if isinstance(like, (Scalar, Array)) else UNKNOWN


def _split(kinds: Kinds, operation: Operation) -> Kind:
    """The adjoints of arrays and numbers that were joined."""
    named = dict(operation.keywords)
    given = [*operation.arguments[:2], *([named["like"]] if "like" in named else [])]
    g, like = map(kinds.of, given)
    if not isinstance(g, Array) or not isinstance(like, Record) or like.cls not in (list, tuple):
        return library_kind(operation.function, False, [g, like], list(_others(kinds, named)))
    return Record(like.cls, like.keys, tuple(_piece(g, part) for part in like.items))


def _piece(g: Array, part: Kind) -> Kind:
    if isinstance(part, Array):
        return forget_values(part) if part.dtype == g.dtype and is_inexact(part) else Numeric()
    if isinstance(part, Scalar) and part.type == "float" and g.dtype == "float64":
        return Scalar("float", "float64")
    return Numeric() if isinstance(part, Scalar) else UNKNOWN


def _others(kinds: Kinds, named: dict[str, gast.expr]) -> list[tuple[str, Kind]]:
    return [(key, kinds.of(value)) for key, value in named.items() if key != "like"]


def _stored(kinds: Kinds, operation: Operation) -> Kind:
    """What is taken from an adjoint, by an index that is no slice or number."""
    g, at = operation.arguments
    read = kinds.of(gast.Subscript(value=g, slice=at, ctx=gast.Load()))
    if isinstance(read, Array):
        return read
    given = kinds.of(g), kinds.of(at)
    return library_kind(operation.function, False, list(given), [])


ADJOINTS: dict[Any, Callable[[Kinds, Operation], Kind]] = {
    split: _split,
    stored: _stored,
    unbroadcast: _unbroadcast,
}
