"""`operator.itemgetter` and the like, slots of `object`, heaps and copies of iterators
(lower/recipes/getters.py)."""

from __future__ import annotations

import heapq
import itertools
import operator
from types import SimpleNamespace

import numpy as np
import pytest

from tests.core.differences import check

X = np.array([0.7, 1.3, -0.4, 0.9])
SECOND = operator.itemgetter(1)
VALUE = operator.attrgetter("pair.v")
TOTAL = operator.methodcaller("sum", axis=0)


class Pair:
    def __init__(self, v):
        self.__setattr__("v", v)
        object.__setattr__(self, "pair", self)


def items(x):
    u, v = operator.itemgetter(1, 2)(x)
    return u * v + operator.itemgetter(0)(x) ** 2 + SECOND(x) ** 3


def attributes(x):
    one, other = Pair(x[0]), Pair(x[1])
    u, v = operator.attrgetter("v", "pair.v")(other)
    return VALUE(one) ** 2 * operator.attrgetter("v")(other) + u * v


def methods(x):
    return operator.methodcaller("sum")(x * x) * TOTAL(np.outer(x, x))[1]


def of_object(x):
    held, total = SimpleNamespace(a=x[0], b=x[1]), 0.0
    for name in ("a", "b"):
        total = total + held.__getattribute__(name) ** 2
    return total


def sorted_by_items(x):
    table, total = {"b": x[0], "a": x[1]}, 0.0
    for _, value in sorted(table.items(), key=operator.itemgetter(0)):
        total = total * value + value
    return total + sum(map(operator.itemgetter(0), [(x[2], 1), (x[3], 2)]))


def smallest_and_largest(x):
    low, high = heapq.nsmallest(2, x), heapq.nlargest(2, x, key=lambda v: -v * v)
    none = heapq.nsmallest(-1, list(x)) + heapq.nlargest(-2, list(x))
    return low[1] ** 2 + high[0] ** 3 * low[0] + sum(none)


def drawn_twice(x):
    one, other = itertools.tee(x)
    next(other)
    return sum(u * v for u, v in zip(one, other))


def arrays_of_a_shape(x):
    kinetic, potential = np.ndarray(3), np.ndarray(3, dtype=np.float64)
    for k in range(3):
        kinetic[k], potential[k] = x[k] ** 2, np.abs(x[k])
    return np.sum(kinetic * potential)


PROGRAMS = [
    items,
    attributes,
    methods,
    of_object,
    sorted_by_items,
    smallest_and_largest,
    drawn_twice,
    arrays_of_a_shape,
]


@pytest.mark.parametrize("function", PROGRAMS)
def test_right(monkeypatch, function):
    check(monkeypatch, function, X)


def without_end(x):
    one, other = itertools.tee(itertools.count())
    return x[next(one)] + x[next(other)]


def test_an_iterator_that_does_not_end_is_asked_for_what_is_wanted(monkeypatch):
    check(monkeypatch, without_end, X)
