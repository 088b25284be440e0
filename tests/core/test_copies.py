"""Deep copies: of what is found at run time, with methods and tables of one's own; cached functions
of tuples whose length is found at run time.
"""

from __future__ import annotations

import copy
import functools
import math

import numpy as np
import pytest

from autodiff import SharedMemoryError, grad
from tests.core.judge import MODES, Verdict, judge, programs


class Model:
    def __init__(self, x, n):
        self.rows = []
        for k in range(n):
            self.rows.append([x * k, 1.0])
        self.cache = {"x": x}
        self.itself = self
        self.same = self.rows

    def __deepcopy__(self, memo):
        cls = self.__class__
        result = cls.__new__(cls)
        memo[id(self)] = result
        memo[id(self.cache)] = self.cache.__new__(dict)
        for key, value in self.__dict__.items():
            setattr(result, key, copy.deepcopy(value, memo))
        return result


def an_object_that_copies_itself(x, a, n=3):
    p = Model(x, n)
    q = copy.deepcopy(p)
    q.rows[1][0] = a
    q.same[1][1] = x * a
    return q.rows[1][0] * p.rows[2][0] + q.itself.rows[1][1] + len(q.cache) * x + p.same[1][1]


def rows_of_unknown_number(x, a, n=3):
    rows = [[x * i * j for j in range(n)] for i in range(n)]
    other = copy.deepcopy(rows)
    other[1][1] = a * rows[2][1]
    rows[2][2] = 1.0
    return other[1][1] * other[2][2] + rows[1][2]


def a_table_of_lists(x, a, n=3):
    table = {}
    for k in range(n):
        table[k] = [x * k, a]
    other = copy.deepcopy(table)
    other[1][1] = 5.0 * x
    return other[1][1] * table[1][1]


def an_array_that_is_there_twice(x, a):
    v = np.array([x, a])
    p, q = copy.deepcopy([v, v])
    p[0] = 3.0 * a
    return q[0] * v[0]


def two_arrays(x, a):
    v = np.array([x, a])
    p, q = copy.deepcopy([v, v * 2])
    p[0] = 3.0 * a
    return p[0] * v[0] + q[1] * q[0]


def a_table_of_ones_own(x, a):
    memo = {}
    row = [x, a]
    one = copy.deepcopy(row, memo)
    other = copy.deepcopy(row, memo)
    one[0] = a * a
    return other[0] * x


class Shelf:
    def __init__(self):
        self.rest, self.every = [], []

    def add(self, item):
        self.every.append(item)


def a_list_that_stays_empty(x, a, n=3):
    shelf = Shelf()
    for k in range(n):
        shelf.add(x * k)
    shelf.rest[:] = []
    other = copy.deepcopy(shelf)
    for item in other.rest:
        other.every.append(item)
    for _ in range(n):
        for item in other.rest:
            other.every.append(item[0])
        other.rest.append([x])
    return sum(other.every) * a * len(other.rest)


def a_list_that_is_empty_on_a_path(x, a):
    v = np.array([x, a, x * a])
    if x > 0.5:
        items = []
    else:
        items = v.tolist()
    total = 1.0
    for item in items:
        total = total + item * item
    return total * x


@functools.lru_cache(maxsize=128)
def weight(u, knots, k):
    return (u - knots[k]) / (knots[k + 1] - knots[k])


def a_cached_function_of_a_tuple(x, a, n=4):
    knots = []
    for k in range(n):
        knots.append(k * a + x)
    return weight(x * x, tuple(knots), 2)


SCALE = [1.5]


class Options:
    table = {"a": 2.0}  # noqa: RUF012


@functools.lru_cache(maxsize=128)
def binomial(n, k):
    if k > n:
        return float(0)
    return float(math.factorial(n) / (math.factorial(k) * math.factorial(n - k)))


def a_cached_function_beside_what_is_outside(x, a, n=4):
    total = 0.0
    for i in range(n):
        for j in range(i + 2):
            total = total + binomial(i, j) * x**i
    return total * SCALE[0] * Options.table["a"] * a


FOLLOWED = ("cached", "copies_itself", "there_twice", "table_of_ones_own")
PROGRAMS = [
    pytest.param(
        own,
        marks=[pytest.mark.followed] * any(word in own.__name__ for word in FOLLOWED),
        id=own.__name__,
    )
    for own in programs(globals())
]


@pytest.mark.parametrize("function", PROGRAMS)
def test_is_right(function):
    points = [(0.7, 0.4), (0.3, 1.2)]
    assert judge(function, points, ("x", "a"), (*MODES, "jvp")) == Verdict("right")


def twice(x, n):
    row = [x, 1.0]
    rows = [row for _ in range(n)]
    other = copy.deepcopy(rows)
    other[0][0] = 2.0
    return other[-1][0] * x


def test_what_occurs_twice_in_what_is_found_at_run_time_is_refused():
    assert grad(twice)(0.5, 1) == 2.0
    with pytest.raises(SharedMemoryError, match="occurs twice"):
        grad(twice)(0.5, 2)


def told(x, a):
    row = [x]
    print("at", id(row))
    return x * a


def computed(x, a):
    row = [x]
    return x * a * (id(row) % 2)


@pytest.mark.parametrize("function", [told, computed])
def test_the_id_of_an_object_has_no_derivative(function):
    assert judge(function, [(0.7, 0.4)], ("x",)).what == "right"
