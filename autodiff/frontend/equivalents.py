"""Library functions that take functions or iterate, written out in plain Python.

The compiler inlines these in place of the originals, so that a derivative flows through them like
through code of the user's own.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from autodiff.runtime import sequence


def reduced(function: Callable[..., Any], iterable: Any, *initial: Any) -> Any:
    """`functools.reduce`."""
    items = list(iterable)
    if len(initial) > 0:
        total = initial[0]
        for item in items:
            total = function(total, item)
    else:
        total = items[0]
        for k in range(1, len(items)):
            total = function(total, items[k])
    return total


def multiplied(iterable: Any, *, start: Any = 1) -> Any:
    """`math.prod` of what may be arrays."""
    product = start
    for item in iterable:
        product = product * item
    return product


def mapped(function: Callable[..., Any], iterable: Any) -> Any:
    """`map` over one iterable, as a list."""
    return [function(item) for item in iterable]


def filtered(function: Callable[..., Any], iterable: Any) -> Any:
    """`filter`, as a list."""
    return [item for item in iterable if function(item)]


def zipped(first: Any, second: Any) -> Any:
    """`zip` of two iterables, as a list."""
    return [(a, b) for a, b in zip(first, second)]


def enumerated(iterable: Any) -> Any:
    """`enumerate`, as a list."""
    return [(k, item) for k, item in enumerate(iterable)]


def enumerated_from(iterable: Any, start: int) -> Any:
    """`enumerate` with a start, as a list."""
    return [(k, item) for k, item in enumerate(iterable, start)]


def zipped_three(first: Any, second: Any, third: Any) -> Any:
    """`zip` of three iterables, as a list."""
    return [(a, b, c) for a, b, c in zip(first, second, third)]


def paired(iterable: Any) -> Any:
    """`itertools.pairwise`, as a list."""
    items = list(iterable)
    return [(items[k], items[k + 1]) for k in range(len(items) - 1)]


def crossed(first: Any, second: Any) -> Any:
    """`itertools.product` of two iterables, as a list."""
    others = list(second)
    return [(a, b) for a in first for b in others]


def chained(first: Any, second: Any) -> Any:
    """`itertools.chain` of two iterables, as a list."""
    return list(first) + list(second)


def combined(iterable: Any, count: Any) -> Any:
    """`itertools.combinations`, as a list."""
    items = list(iterable)
    chosen = itertools.combinations(range(len(items)), count)
    return [tuple([items[k] for k in places]) for places in chosen]


def placed(array: Any) -> Any:
    """`np.ndenumerate`, as a list."""
    return [(place, array[place]) for place in np.ndindex(np.shape(array))]


def accumulated(iterable: Any) -> Any:
    """`itertools.accumulate` of sums, as a list."""
    items = list(iterable)
    total = items[0]
    totals = [total]
    for k in range(1, len(items)):
        total = total + items[k]
        totals.append(total)
    return totals


def accumulated_by(iterable: Any, function: Callable[..., Any]) -> Any:
    """`itertools.accumulate` by a function, as a list."""
    items = list(iterable)
    total = items[0]
    totals = [total]
    for k in range(1, len(items)):
        total = function(total, items[k])
        totals.append(total)
    return totals


def spread(function: Callable[..., Any], rows: Any) -> Any:
    """`itertools.starmap`, as a list."""
    return [function(*row) for row in rows]


def largest(iterable: Any, key: Callable[..., Any]) -> Any:
    """`max` with a key."""
    items = list(iterable)
    where = 0
    for k in range(1, len(items)):
        if key(items[k]) > key(items[where]):
            where = k
    return items[where]


def smallest(iterable: Any, key: Callable[..., Any]) -> Any:
    """`min` with a key."""
    items = list(iterable)
    where = 0
    for k in range(1, len(items)):
        if key(items[k]) < key(items[where]):
            where = k
    return items[where]


def ordered(iterable: Any, key: Callable[..., Any]) -> Any:
    """`sorted` with a key."""
    items = list(iterable)
    keys = [key(item) for item in items]
    order = sorted(range(len(items)), key=keys.__getitem__)
    return [items[k] for k in order]


def extended(items: Any, more: Any) -> None:
    """`list.extend`; of a list by itself, too, which ends."""
    given = sequence(more)
    count = len(given)
    for k in range(count):
        items.append(given[k])


def ordered_items(table: Any, items: Any) -> Any:
    """`sorted(table.items())`: keys are never equal, so values are never compared."""
    return [(key, table[key]) for key in sorted(table)]


def vectorized(function: Callable[..., Any], array: Any) -> Any:
    """What calling `np.vectorize(function)` does; all results have the type of the first."""
    flat = np.ravel(array)
    items = [function(flat[k]) for k in range(flat.size)]
    values = np.array(items)
    assert values.dtype == np.asarray(items[0]).dtype, "let np.vectorize compute floats only"
    return np.reshape(values, np.shape(array))


def vectorized_two(function: Callable[..., Any], first: Any, second: Any) -> Any:
    """The same with two arguments."""
    shape = np.broadcast_shapes(np.shape(first), np.shape(second))
    one = np.ravel(np.broadcast_to(first, shape))
    two = np.ravel(np.broadcast_to(second, shape))
    items = [function(one[k], two[k]) for k in range(one.size)]
    values = np.array(items)
    assert values.dtype == np.asarray(items[0]).dtype, "let np.vectorize compute floats only"
    return np.reshape(values, shape)


def vectorized_three(function: Callable[..., Any], first: Any, second: Any, third: Any) -> Any:
    """The same with three arguments."""
    shape = np.broadcast_shapes(np.shape(first), np.shape(second), np.shape(third))
    one = np.ravel(np.broadcast_to(first, shape))
    two = np.ravel(np.broadcast_to(second, shape))
    three = np.ravel(np.broadcast_to(third, shape))
    items = [function(one[k], two[k], three[k]) for k in range(one.size)]
    values = np.array(items)
    assert values.dtype == np.asarray(items[0]).dtype, "let np.vectorize compute floats only"
    return np.reshape(values, shape)


VECTORIZED = (vectorized, vectorized_two, vectorized_three)
"""By the number of arguments."""


ITERATORS = frozenset(
    {
        *(zip, map, filter, enumerate, itertools.accumulate, itertools.chain),
        *(itertools.combinations, itertools.pairwise, itertools.product, itertools.starmap),
        np.ndenumerate,
    }
)
"""What gives its items only once."""


def equivalent(function: Any, arguments: int, keywords: Iterable[str]) -> Any:
    """The plain Python function that a call means, None where the call needs none."""
    keyed = list(keywords) == ["key"] and arguments == 1
    table: dict[Any, Any] = {}
    if function is functools.reduce and not list(keywords):
        return reduced
    if function is enumerate and arguments == 1 and list(keywords) == ["start"]:
        return enumerated_from
    if keyed:
        table = {max: largest, min: smallest, sorted: ordered}
    elif arguments == 1 and not list(keywords):
        table = {
            enumerate: enumerated,
            itertools.pairwise: paired,
            itertools.accumulate: accumulated,
            np.ndenumerate: placed,
        }
    elif arguments == 2 and not list(keywords):
        table = {
            map: mapped,
            filter: filtered,
            zip: zipped,
            enumerate: enumerated_from,
            itertools.accumulate: accumulated_by,
            itertools.chain: chained,
            itertools.combinations: combined,
            itertools.product: crossed,
            itertools.starmap: spread,
        }
    elif arguments == 3 and not list(keywords):
        table = {zip: zipped_three}
    try:
        return table.get(function)
    except TypeError:  # not hashable
        return None
