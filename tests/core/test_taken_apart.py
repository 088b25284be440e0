"""Objects that give their items by `__iter__`, where several are asked for at once."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import AutodiffError, grad
from tests.core.differences import check, differences

X = np.array([0.5, 1.2, 0.8])


class Pair:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __iter__(self):
        yield self.x
        yield self.y


class Values:
    def __init__(self, *values):
        self.values = values

    def __iter__(self):
        return iter(self.values)


class Squares:
    def __init__(self, x):
        self.x, self.k = x, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.k >= 3:
            raise StopIteration
        self.k += 1
        return self.x[self.k - 1] ** 2


class Indexed:
    def __init__(self, x):
        self.x = x

    def __getitem__(self, k):
        if k > 1:
            raise IndexError
        return self.x[k] * (k + 1)


def two(x):
    a, b = Pair(x[0], x[1])
    return a * b


def held_values(x):
    a, b, c = Values(x[0], x[1], x[2])
    return a * b + c


def drawn(x):
    a, b, c = Squares(x)
    return a * b + c


def in_a_loop(x):
    total = 0.0
    for a, b in [Pair(x[0], x[1]), Pair(x[1], x[2])]:
        total += a * b
    return total


def nested(x):
    (a, b), c = Pair(x[0], x[1]), x[2]
    return a * b * c


def as_arguments(x):
    return (lambda a, b: a * b**2)(*Pair(x[0], x[1]))


def spread(x):
    items = [*Pair(x[0], x[1]), x[2]]
    return items[0] * items[1] * items[2]


def sorted_values(x):
    a, b = sorted(Values(x[1], x[0]))
    return a * b**2 + max(Values(x[1], x[2])) * sum(Pair(x[0], x[1]))


@pytest.mark.parametrize(
    "function",
    [
        two,
        held_values,
        pytest.param(drawn, marks=pytest.mark.followed),
        *(in_a_loop, nested, as_arguments, spread, sorted_values),
    ],
)
def test_items(monkeypatch, function):
    check(monkeypatch, function, X)


def test_by_index():
    def function(x):
        a, b = Indexed(x)
        return a * b

    try:
        found = grad(function)(X)
    except AutodiffError:
        return
    np.testing.assert_allclose(found, differences(function, (X,)), rtol=1e-5)


def first_if_any(x):
    items = [v for v in x if v > 1.0]
    try:
        first, *rest = items
    except ValueError:
        return x[0] * x[1]
    return first * first + sum(rest)


def first_of_none(x):
    first, *rest = x[x > 5.0]
    return first + sum(rest)


@pytest.mark.followed
def test_too_few_for_a_starred_target():
    for point in (X, X * 0.1, X * 3.0):
        expected = differences(first_if_any, (point,))
        np.testing.assert_allclose(grad(first_if_any)(point), expected, rtol=1e-5)
    with pytest.raises(ValueError, match="not enough values"):
        grad(first_of_none)(X)
