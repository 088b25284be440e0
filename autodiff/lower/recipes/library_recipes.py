"""Functions of the standard library that go over items, written in Python and lowered like the
user's code; and which class or function of ours stands for which of Python's.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import contextlib
import functools
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.lower.recipes import container_recipes, iterators, uncounted


def listed(items):
    """`list(items)`."""
    found = []
    for item in items:
        found.append(item)
    return found


def extended(found, items):
    """`found += items`."""
    for item in items:
        found.append(item)


def joined(first, second):
    """`first + second`."""
    found = []
    for item in first:
        found.append(item)
    for item in second:
        found.append(item)
    return found


def repeated_items(item, times):
    """`[item] * times`."""
    found = []
    for _ in range(times):
        found.append(item)
    return found


def summed(items, start=0):
    """`sum(items, start)`."""
    for item in items:
        start = start + item
    return start


def product(items, start=1):
    """`math.prod(items, start=start)`."""
    for item in items:
        start = start * item
    return start


def some(items):
    """`any(items)`: asks no further than it has to."""
    for item in items:  # noqa: SIM110  (this is what `any` means)
        if item:
            return True
    return False


def every(items):
    """`all(items)`."""
    for item in items:  # noqa: SIM110  (this is what `all` means)
        if not item:
            return False
    return True


def next_or(iterator, default):
    """`next(iterator, default)`."""
    return iterator.take() if iterator.more() else default


def reduced(function, items):
    """`functools.reduce(function, items)`."""
    source = iter(items)
    total = next(source)
    for item in source:
        total = function(total, item)
    return total


def reduced_from(function, items, total):
    """`functools.reduce(function, items, total)`."""
    for item in items:
        total = function(total, item)
    return total


def added(one, other):
    """What `accumulate` does where no function is given."""
    return one + other


def accumulated(items, function=added):
    """`itertools.accumulate(items, function)`."""
    source = iterators.source_of(items)
    if not source.more():
        return
    total = source.take()
    yield total
    for item in source:
        total = function(total, item)
        yield total


def accumulated_from(items, initial, function=added):
    """`itertools.accumulate(items, function, initial=initial)`."""
    total = initial
    yield total
    for item in items:
        total = function(total, item)
        yield total


def neighbours(items):
    """`itertools.pairwise(items)` of what can be indexed."""
    for k in range(len(items) - 1):
        yield items[k], items[k + 1]


def pairs(items):
    """`itertools.combinations(items, 2)` of what can be indexed."""
    for k in range(len(items)):
        for m in range(k + 1, len(items)):
            yield items[k], items[m]


def triples(items):
    """`itertools.combinations(items, 3)` of what can be indexed."""
    for k in range(len(items)):
        for m in range(k + 1, len(items)):
            for n in range(m + 1, len(items)):
                yield items[k], items[m], items[n]


def grid(first, second):
    """`itertools.product(first, second)` of what can be indexed."""
    for k in range(len(first)):
        for m in range(len(second)):
            yield first[k], second[m]


def grid_of_three(first, second, third):
    """`itertools.product(first, second, third)` of what can be indexed."""
    for k in range(len(first)):
        for m in range(len(second)):
            for n in range(len(third)):
                yield first[k], second[m], third[n]


def head(items, stop):
    """`itertools.islice(items, stop)`: asks for no more than it gives."""
    count = 0
    if count >= stop:
        return
    for item in items:
        count = count + 1
        yield item
        if count >= stop:
            return


def sliced(items, start, stop, step=1):
    """`itertools.islice(items, start, stop, step)`."""
    count, following = 0, start
    if stop is not None and following >= stop and start <= 0:
        return
    for item in items:
        if count == following:
            yield item
            following = following + step
        count = count + 1
        if stop is not None and count >= stop:
            return


def while_true(function, items):
    """`itertools.takewhile(function, items)`."""
    for item in items:
        if not function(item):
            return
        yield item


def from_false(function, items):
    """`itertools.dropwhile(function, items)`."""
    dropping = True
    for item in items:
        if dropping and function(item):
            continue
        dropping = False
        yield item


def without(function, items):
    """`itertools.filterfalse(function, items)`."""
    for item in items:
        if not function(item):
            yield item


def truthy(items):
    """`filter(None, items)`."""
    for item in items:
        if item:
            yield item


def selected(items, selectors):
    """`itertools.compress(items, selectors)`."""
    for item, wanted in zip(items, selectors):
        if wanted:
            yield item


def one_after_the_other(rows):
    """`itertools.chain.from_iterable(rows)`."""
    for row in rows:
        yield from row


def repeated(item, times):
    """`itertools.repeat(item, times)`."""
    for _ in range(times):
        yield item


def cycled(items):
    """`itertools.cycle(items)` of what can be indexed."""
    k = 0
    while len(items) > 0:
        yield items[k]
        k = k + 1 if k + 1 < len(items) else 0


def nothing():
    """`object.__init__`."""


DIRECT: dict[Any, Callable[..., Any]] = {
    itertools.count: iterators.Counting,
    itertools.starmap: iterators.Spread,
    itertools.chain: uncounted.Chained,
    itertools.chain.from_iterable: one_after_the_other,
    itertools.takewhile: while_true,
    itertools.dropwhile: from_false,
    itertools.filterfalse: without,
    itertools.compress: selected,
    enumerate: iterators.Enumerated,
    dict.fromkeys: container_recipes.with_keys,
    contextlib._GeneratorContextManager: uncounted.Managed,
}
"""What stands for a function, whatever it is given."""
COUNTED: dict[tuple[Any, int], Callable[..., Any]] = {
    (functools.reduce, 2): reduced,
    (functools.reduce, 3): reduced_from,
    (itertools.repeat, 1): iterators.Repeating,
    (itertools.repeat, 2): repeated,
    (itertools.islice, 2): head,
    (itertools.islice, 3): sliced,
    (itertools.islice, 4): sliced,
}
"""What stands for a function of so many arguments."""
OVER_ITEMS: dict[Any, Callable[..., Any]] = {sum: summed, any: some, all: every}
"""What stands for a function that is given an iterator."""
OVER_LISTS = (list, tuple, max, min, sorted, math.prod, math.fsum, np.fromiter)
"""Functions to which an iterator means as much as the list of its items."""
