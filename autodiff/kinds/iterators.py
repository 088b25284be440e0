"""The kinds of lists and tuples made of what is iterated over, and of iterators."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.kinds.indexing import indexing
from autodiff.kinds.joins import as_sequence, join
from autodiff.kinds.kind import (
    UNKNOWN,
    Array,
    Kind,
    Mapping,
    Record,
    Scalar,
    Sequence,
    classes_of,
    is_empty_key,
    key_kind,
)
from autodiff.kinds.objects import Parts
from autodiff.kinds.operation import Operation
from autodiff.runtime import sequence

if TYPE_CHECKING:
    from autodiff.kinds.known import Kinds


def sequence_kind(kinds: Kinds, operation: Operation) -> Kind | None:
    kind = kinds.of(operation.arguments[0])
    if isinstance(kind, Parts) and kind.cls is dict:
        return UNKNOWN  # which keys it has by then is known once they are written out
    if isinstance(kind, Record) and kind.cls is dict:
        keys = tuple(map(key_kind, kind.keys))
        return Record(list, tuple(range(len(keys))), keys)
    if classes_of(kind) and not isinstance(kind, Record):
        indexed = any(hasattr(cls, "__getitem__") for cls in classes_of(kind))
        return kind if indexed else Sequence(UNKNOWN)
    if isinstance(kind, Mapping):
        return None if is_empty_key(kind.key) else Sequence(kind.key)
    is_iterator = isinstance(kind, Sequence) and not issubclass(kind.cls, (list, tuple))
    return Sequence(kind.item) if is_iterator and isinstance(kind, Sequence) else kind


def _zip(kinds: Kinds, operation: Operation) -> Kind | None:
    """`zip` of things whose items are known: an iterator over tuples."""
    return _tuples(zip, [_item(kinds, argument) for argument in operation.arguments])


def _enumerate(kinds: Kinds, operation: Operation) -> Kind | None:
    """`enumerate` of something whose items are known."""
    if not operation.arguments:
        return UNKNOWN
    return _tuples(enumerate, [Scalar("int"), _item(kinds, operation.arguments[0])])


def _product(kinds: Kinds, operation: Operation) -> Kind | None:
    """`itertools.product(xs, ys)`."""
    if operation.keywords or any(isinstance(a, gast.Starred) for a in operation.arguments):
        return UNKNOWN
    return _tuples(itertools.product, [_item(kinds, own) for own in operation.arguments])


def _selection(
    function: type, default: int | None = None
) -> Callable[[Kinds, Operation], Kind | None]:
    """`itertools.combinations(xs, 2)` and the like: tuples of so many items of one iterable."""

    def kind(kinds: Kinds, operation: Operation) -> Kind | None:
        first, *rest = operation.arguments
        length = kinds.of(rest[0]) if rest else Scalar("int", None, default)
        count = length.value if isinstance(length, Scalar) else None
        if operation.keywords or type(count) is not int:
            return UNKNOWN
        return _tuples(function, [_item(kinds, first)] * count)

    return kind


def _places(kinds: Kinds, operation: Operation) -> Kind | None:
    """`np.ndindex(x.shape)`: tuples of integers."""
    given = [kinds.of(argument) for argument in operation.arguments]
    if len(given) == 1 and isinstance(given[0], Record):
        given = list(given[0].items)
    if not all(isinstance(kind, Scalar) for kind in given):
        return UNKNOWN
    return _tuples(np.ndindex, [Scalar("int")] * len(given))


def _sorted(kinds: Kinds, operation: Operation) -> Kind | None:
    """`sorted(d)` of a dict: a list of its keys; `max(d)` is one of them."""
    given = [kinds.of(argument) for argument in kinds.flat(operation.arguments)]
    named = [(name, kinds.of(value)) for name, value in operation.keywords]
    table = given[0] if given else UNKNOWN
    if isinstance(table, Mapping) and operation.function is sorted:
        return None if is_empty_key(table.key) else Sequence(table.key)
    if isinstance(table, Mapping) and len(given) == 1 and not named:
        return None if is_empty_key(table.key) else table.key
    if None in given or None in [kind for _, kind in named]:
        return None
    return kinds.result(
        operation,
        [kind for kind in given if kind is not None],
        [(name, kind) for name, kind in named if kind is not None],
    )


def _chain(kinds: Kinds, operation: Operation) -> Kind | None:
    """`itertools.chain(xs, ys)`."""
    if not operation.arguments or any(isinstance(a, gast.Starred) for a in operation.arguments):
        return UNKNOWN
    items = [_item(kinds, argument) for argument in operation.arguments]
    return Sequence(functools.reduce(join, items), itertools.chain)


def _numbers(kinds: Kinds, operation: Operation) -> Kind | None:
    """`x.tolist()`: Python numbers, in as many lists inside each other as the array has axes."""
    kind = kinds.of(operation.arguments[0])
    if not isinstance(kind, Array) or kind.dtype is None:
        return None if kind is None else UNKNOWN
    own = type(np.zeros((), kind.dtype).tolist())
    item: Kind = Scalar(own.__name__) if own in (bool, int, float, complex) else UNKNOWN
    return functools.reduce(lambda inner, _: Sequence(inner), kind.shape, item)


def _tuples(function: type, items: list[Kind]) -> Kind:
    return Sequence(Record(tuple, tuple(range(len(items))), tuple(items)), function)


def _item(kinds: Kinds, iterable: gast.expr) -> Kind:
    """The kind of what an iterable gives."""
    found = listed(list)(kinds, Operation(list, (iterable,)))
    found = as_sequence(found) if found is not None else None
    return found.item if isinstance(found, Sequence) else UNKNOWN


def listed(cls: type) -> Callable[[Kinds, Operation], Kind | None]:
    def kind_of_items(kinds: Kinds, operation: Operation) -> Kind | None:
        if not operation.arguments:
            return Record(cls, (), ())
        kind = kinds.of(operation.arguments[0])
        if isinstance(kind, Mapping) or isinstance(kind, Record) and kind.cls is dict:
            kind = sequence_kind(kinds, operation)
        if isinstance(kind, Record) and kind.cls in (tuple, list):
            return Record(cls, kind.keys, kind.items)
        if isinstance(kind, Sequence):
            return Sequence(kind.item, cls)
        if isinstance(kind, Array) and kind.shape:
            item = indexing(kind, gast.Constant(value=0, kind=None), kinds.of)
            return Sequence(item, cls)
        return None if kind is None else Sequence(UNKNOWN, cls)

    return kind_of_items


ITERATORS: dict[Any, Callable[[Kinds, Operation], Kind | None]] = {
    sequence: sequence_kind,
    **dict.fromkeys((sorted, max, min), _sorted),
    list: listed(list),
    tuple: listed(tuple),
    zip: _zip,
    enumerate: _enumerate,
    itertools.chain: _chain,
    itertools.product: _product,
    itertools.pairwise: _selection(itertools.pairwise, 2),
    itertools.combinations: _selection(itertools.combinations),
    itertools.combinations_with_replacement: _selection(itertools.combinations_with_replacement),
    itertools.permutations: _selection(itertools.permutations),
    np.ndindex: _places,
    np.ndarray.tolist: _numbers,
}
