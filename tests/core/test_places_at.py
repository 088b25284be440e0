"""NumPy's numbers by index, masks that are lists, places that are changed one after the other."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad
from autodiff.derivatives import cache
from tests.core.judge import Verdict, judge, programs

X = np.array([0.7, -0.4, 1.3, 0.2])


def product_at_places(x, a):
    b = x * x
    np.multiply.at(b, [0, 0, 1], a)
    return np.sum(b * b)


def quotient_at_places(x, a):
    b = x * x
    np.divide.at(b, np.array([0, 2, 2]), x[:3] + 3.0)
    return np.sum(b * b)


def maximum_at_places(x, a):
    b = x * a
    np.maximum.at(b, [0, 0, 3], [0.1, x[0], x[3]])
    return np.sum(b * b)


def powers_of_rows(x, a):
    b = np.outer(x, x)
    np.power.at(b, [0, 1, 0], 2)
    return np.sum(b) * a


def product_at_a_mask(x, a):
    b = x * 1.0
    np.multiply.at(b, x > 0.5, a)
    return np.sum(b)


def sums_at_places(x, a):
    b = x * 1.0
    np.add.at(b, [0, 0], x[:2] * a)
    np.subtract.at(b, [1, 1], a)
    return np.sum(b**2)


def products_in_a_view(x, a):
    b = x * 1.0
    c = b[1:]
    for i in range(2):
        np.multiply.at(c, [0, 0, i], x[:3])
    return np.sum(b * b) * a


def partition(x, a):
    y = x * a
    y.partition(2)
    return y[0] * y[2] + np.sum(y**3)


def partition_of_parts(x, a):
    y = np.outer(x, x + 2) * a
    y[1].partition(1)
    y.T[2].sort()
    y[::2].sort(axis=0)
    return np.sum(y * np.arange(16.0).reshape(4, 4))


def mask_of_whole_numbers(x, a):
    y = x * a
    np.putmask(y, [1, 0, 0, 1], [3.0, a])
    return np.sum(y * y)


def output_by_a_list(x, a):
    y = x * a
    np.exp(x, out=y, where=[True, False, False, True])
    return np.sum(y * y)


def pieces_by_a_list(x, a):
    y = np.piecewise(x, [[True, False, True, False]], [lambda t: t**2, lambda t: -t])
    return np.sum(y * y) * a


def mask_of_numbers(x, a):
    y = x * a
    m = [1.0, 0.0, 2.0, 0.0]
    np.putmask(y, m, x**2)
    return np.sum(y * y)


def number_with_axes(x, a):
    s = np.sum(x)
    return (s[None] * s[...] * s[()])[0] * a


def number_with_two_axes(x, a):
    s = np.sum(x * x)
    t = s[None, None] * np.ones((2, 3)) * s[np.newaxis]
    return np.sum(t) * a


def number_in_a_loop(x, a):
    s = x[1]
    for i in range(3):
        s = s[()] * a + x[i]
    return s


def numbers_put_together(x, a):
    m = np.max(x)
    return np.sum(np.concatenate([m[None], x, np.min(x)[None]])) * a


def number_of_one_of_two(x, a):
    m = x[0] if a > 0.5 else np.sum(x)
    return m[...] * m[True][0] * a


def number_of_python(x, a):
    try:
        y = a[None] * x
    except TypeError:
        y = a * x * 2
    return np.sum(y)


def products_by_places_that_change(x, a):
    b = x * 1.0
    k = np.array([0, 1, 0])
    for i in range(2):
        np.multiply.at(b, k, b[:3] * a)
        k[0] += 1
    return np.sum(b * b)


def product_by_two_indices(x, a):
    b = np.outer(x, x)
    np.multiply.at(b, ([0, 1, 0], [1, 1, 1]), a)
    return np.sum(b * b) * a


def negative_at_places(x, a):
    b = x * 1.0
    np.negative.at(b, [0, 1])
    return np.sum(b) * a


def products_of_rows_and_a_row(x, a):
    b = np.outer(x, x)
    np.multiply.at(b, [0, 1, 0], x)
    return np.sum(b * b) * a


PROGRAMS = programs(globals())


def product_at_a_table_of_places(x, a):
    b = x * 1.0
    np.multiply.at(b, [[0, 1], [0, 1]], [[a, a], [2.0, a]])
    return np.sum(b * b) * a


@pytest.mark.parametrize("program", programs(globals()), ids=lambda program: program.__name__)
def test_right_or_not_taken(program):
    found = judge(program, [(X, 0.8)], ("x", "a"))
    assert found == Verdict("right" if program in PROGRAMS else "not yet", found.why)


def test_is_compiled_once():
    """`np.multiply.at` is another object at each look."""
    derivative = grad(product_at_places)
    derivative(X, 0.8)
    assert cache.valid(derivative._last)
