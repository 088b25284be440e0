"""The kinds of what is done to adjoints, in a gradient that is differentiated again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeGuard

import gast

from autodiff.kinds.joins import as_mapping, as_sequence, join
from autodiff.kinds.kind import (
    UNKNOWN,
    Array,
    Kind,
    Mapping,
    Nullable,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
    adjoint_kind,
    forget_values,
    is_inexact,
    used,
)
from autodiff.kinds.operation import Operation
from autodiff.kinds.results import library_kind
from autodiff.runtime import (
    Slot,
    accumulate,
    alone,
    collected,
    expand,
    shadow,
    split,
    stored,
    unbroadcast,
    zeros_like,
)

if TYPE_CHECKING:
    from autodiff.kinds.known import Kinds


def _accumulated(kinds: Kinds, operation: Operation) -> Kind | None:
    """The kind of `accumulate(a, b)`: a structure of sums."""
    left, right = map(kinds.of, operation.arguments)
    return None if left is None or right is None else _sum(left, right)


def _sum(left: Kind, right: Kind) -> Kind:
    if Static(None) in (left, right):  # zero
        return right if left == Static(None) else left
    if isinstance(left, Record) and isinstance(right, Record) and left.keys == right.keys:
        return Record(left.cls, left.keys, tuple(map(_sum, left.items, right.items)))
    parts = as_sequence(left), as_sequence(right)
    if isinstance(parts[0], Sequence) and isinstance(parts[1], Sequence):
        return Sequence(_sum(parts[0].item, parts[1].item), parts[0].cls)
    tables = as_mapping(left), as_mapping(right)
    if isinstance(tables[0], Mapping) and isinstance(tables[1], Mapping):
        item = join(_sum(tables[0].item, tables[1].item), join(tables[0].item, tables[1].item))
        return Mapping(item, join(tables[0].key, tables[1].key))
    return library_kind(accumulate, False, [left, right], [])


def _unbroadcast(kinds: Kinds, operation: Operation) -> Kind | None:
    """What was brought to the shape and dtype of an array, whatever it was before."""
    given = [*operation.arguments, *(value for _, value in operation.keywords)]
    own = [kinds.of(argument) for argument in given]
    if None in own:
        return None
    like = used(own[-1])
    if isinstance(like, Array) and (like.dtype is None or is_inexact(like)):
        return like
    if isinstance(own[0], (Array, Scalar, Numeric)) and getattr(like, "cls", None) in (list, tuple):
        return _of_numbers(like)
    found = library_kind(operation.function, False, [kind for kind in own if kind], [])
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


def _expanded(kinds: Kinds, operation: Operation) -> Kind | None:
    """A new array of the shape of `like`, whatever the adjoint was before."""
    g, like = [kinds.of(own) for own in (*operation.arguments, *dict(operation.keywords).values())]
    if g is None or like is None:
        return None
    if isinstance(like, Nullable):
        like = like.other  # it is only done where there is a value
    if isinstance(like, Array):
        dtype = g.dtype if isinstance(g, Array) else None
        return Array(dtype or like.dtype, like.shape)  # as adjoints have it
    return library_kind(operation.function, False, [g, like], [])


def _shadow(kinds: Kinds, operation: Operation) -> Kind | None:
    kind = kinds.of(operation.arguments[0])
    return kind and _of_slots(kind, bool(operation.keywords))


def _of_slots(kind: Kind, arrays: bool) -> Kind:
    """The kind of a shadow: a slot for each number; with `arrays`, an array for each array."""
    if isinstance(kind, Record) and kind.cls in (list, dict) or _is_tuple(kind):
        return Record(kind.cls, kind.keys, tuple(_of_slots(own, arrays) for own in kind.items))
    if isinstance(kind, Sequence):
        return replace(kind, item=_of_slots(kind.item, arrays))
    if isinstance(kind, Mapping):  # a plain one, whatever class of dicts it is of
        return Mapping(_of_slots(kind.item, arrays), kind.key)
    if isinstance(kind, Array):
        return forget_values(kind) if arrays else SLOT
    if isinstance(kind, Scalar) and kind.type == "float":
        return Record(Slot, ("value",), (Scalar("float", "?"),))
    return SLOT if isinstance(kind, (Numeric, Scalar, Static, Text)) else UNKNOWN


def _collected(kinds: Kinds, operation: Operation) -> Kind | None:
    kind = kinds.of(operation.arguments[0])
    return kind and _of_contents(kind)


def _of_contents(kind: Kind) -> Kind:
    """The kind of the adjoints that a shadow has collected."""
    if isinstance(kind, Record) and kind.cls is Slot:
        return kind.items[0]
    if isinstance(kind, Record) and kind.cls in (list, dict) or _is_tuple(kind):
        return Record(kind.cls, kind.keys, tuple(map(_of_contents, kind.items)))
    if isinstance(kind, Sequence):
        return replace(kind, item=_of_contents(kind.item))
    if isinstance(kind, Mapping):  # a plain one, whatever class of dicts it is of
        return Mapping(_of_contents(kind.item), kind.key)
    return kind if isinstance(kind, Array) else UNKNOWN


def _zeros_like(kinds: Kinds, operation: Operation) -> Kind | None:
    kind = kinds.of(operation.arguments[0])
    if isinstance(kind, (Record, Sequence, Mapping)):
        return _of_zeros(kind)
    return kind and library_kind(operation.function, False, [kind], [])


def _of_zeros(kind: Kind) -> Kind:
    """The kind of the zero adjoint of a container, which has its form."""
    if isinstance(kind, Record):
        return Record(kind.cls, kind.keys, tuple(map(_of_zeros, kind.items)))
    if isinstance(kind, Sequence):
        return replace(kind, item=_of_zeros(kind.item))
    if isinstance(kind, Mapping):  # a plain one, whatever class of dicts it is of
        return Mapping(_of_zeros(kind.item), kind.key)
    if isinstance(kind, (Array, Scalar)):
        return library_kind(zeros_like, False, [kind], [])
    return kind if isinstance(kind, Numeric) else UNKNOWN


def _split(kinds: Kinds, operation: Operation) -> Kind | None:
    """The adjoints of arrays and numbers that were joined."""
    named = dict(operation.keywords)
    given = [*operation.arguments[:2], *([named["like"]] if "like" in named else [])]
    g, like = map(kinds.of, given)
    if g is None or like is None:
        return None
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
    return [(key, kinds.known(value)) for key, value in named.items() if key != "like"]


def _stored(kinds: Kinds, operation: Operation) -> Kind | None:
    """What is taken from an adjoint, by an index that is no slice or number."""
    g, at = operation.arguments
    read = kinds.of(gast.Subscript(value=g, slice=at, ctx=gast.Load()))
    if read is None or isinstance(read, Array):
        return read
    given = kinds.known(g), kinds.known(at)
    return library_kind(operation.function, False, list(given), [])


def _is_tuple(kind: Kind) -> TypeGuard[Record]:
    return isinstance(kind, Record) and issubclass(kind.cls, tuple)


def _same(kinds: Kinds, operation: Operation) -> Kind | None:
    return kinds.of(operation.arguments[0])


SLOT = Record(Slot, ("value",), (Numeric(),))
"""The kind of a slot."""

ADJOINTS: dict[Any, Callable[[Kinds, Operation], Kind | None]] = {
    accumulate: _accumulated,
    alone: _same,
    collected: _collected,
    expand: _expanded,
    shadow: _shadow,
    split: _split,
    stored: _stored,
    unbroadcast: _unbroadcast,
    zeros_like: _zeros_like,
}
