"""The kinds of what is done to adjoints, in a gradient that is differentiated again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from autodiff.analysis.joins import as_mapping, as_sequence, join
from autodiff.analysis.kind import Array, Kind, Mapping, Record, Sequence, Static, is_inexact
from autodiff.analysis.operation import Operation
from autodiff.analysis.results import library_kind
from autodiff.runtime import accumulate, unbroadcast

if TYPE_CHECKING:
    from autodiff.analysis.known import Kinds


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
    like = own[-1]
    if isinstance(like, Array) and (like.dtype is None or is_inexact(like)):
        return like
    return library_kind(operation.function, False, [kind for kind in own if kind], [])


ADJOINTS: dict[Any, Callable[[Kinds, Operation], Kind | None]] = {
    accumulate: _accumulated,
    unbroadcast: _unbroadcast,
}
