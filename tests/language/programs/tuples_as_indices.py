"""Tuples that a loop makes, or that stand beside arrays: places, and rows, as NumPy takes them."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import V3

CUBE = np.arange(1.0, 25.0).reshape(2, 3, 4) / 9.0


@program([(CUBE, 3)], analytic=True)
def a_path_of_run_time_length(c, n):
    places = tuple([j for j in range(n - 1)])
    return np.prod(c[places]) * np.sum(c[tuple(range(n - 2))] ** 2)


@program([(CUBE, 3)], analytic=True, refusable=True)
def stores_along_a_path(c, n):
    places = tuple([j for j in range(n - 1)])
    y = c * 1.0
    y[places] *= c[0, 0, 0]
    y[0, 0] += c[places[::-1]] ** 2
    return np.sum(y**2)


@program([(V3, 3)], analytic=True)
def taken_by_tuples(x, n):
    return np.prod(np.take(x, (0, 1, 1))) + np.sum(np.take(x, tuple(range(n))) ** 2)


@program([(V3,)], analytic=True)
def rows_beside_numbers(x):
    joined = np.hstack([1, x, [2, 3]]) ** 2 * np.hstack((x[0], (2, 3), 4, (5.0, 1))) ** 2
    return np.sum(joined * np.hstack([[x[1], 1], x[0], x[:3]]))


@program([(V3,)])
def counted_by_a_list(x):
    return np.prod(np.bincount([0, 1, 1], weights=x * x)) + np.sum(np.bincount([0, 1, 0], x) ** 2)
