"""Lists and tuples with starred items, whose number is known or not; what `np.r_` makes of them."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import M23, V3

CONSTANTS = [1.0, 2.0]


@program([(V3,)], analytic=True)
def lists_with_starred_items(x):
    e = [x[0], x[1] ** 2]
    values = [v * v for v in x]
    grown = []
    for v in x:
        grown.append(v * x[0])
    total = np.sum(np.array([3.0, *e]) ** 2 * np.arange(3))
    total = total + np.sum(np.array([1, *values, x[2]]) ** 2 * np.arange(5))
    return total + np.sum(np.array([*grown, 2.0, *x]) ** 2 * np.arange(7))


@program([(V3,)], analytic=True)
def items_after_starred_constants(x):
    t = [*CONSTANTS, x[0]]
    u = (*CONSTANTS, x[1], *x)
    return t[2] * 3 + t[1] * x[1] + u[2] * u[3] * u[-1] ** 2


@program([(V3,)], analytic=True)
def copies_by_starred_items(x):
    e = [x[0], x[1]]
    other = [*e]
    other[0] = other[0] * x[2]
    shape = (*x.shape, 2)
    return e[0] * other[0] + other[1] + np.sum(np.zeros(shape) + x[:, None] ** 2)


@program([(M23,)], analytic=True)
def arrays_by_starred_items(m):
    rows = [m[0], m[1] * 2]
    whole = np.concatenate([*rows, m[0, :2]])
    return np.sum(whole**2 * np.arange(8)) + np.sum(np.stack([m[0], *rows]) ** 2)


def scaled(x):
    return x[0] * x


@program([(V3,)], analytic=True)
def rows_and_columns_of_what_helpers_return(x):
    row = np.r_[scaled(x), [x[1]], 0.0]
    column = np.c_[scaled(x), [1.0, 2.0, 3.0], x]
    return np.sum(row**2 * np.arange(5)) + np.sum(column**3)
