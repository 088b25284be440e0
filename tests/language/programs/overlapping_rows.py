"""Rows, columns and diagonals of one array that are stored into each other."""

import numpy as np

from tests.language.corpus import program

A = np.array([[0.7, -1.3, 0.4], [1.1, 0.6, -0.8], [0.3, 0.9, 1.4]])
V8 = np.array([0.7, -1.3, 0.4, 1.1, 0.6, -0.8, 0.3, 0.9])


@program([(A,)])
def symmetric_from_below(x):
    m = x.copy()
    for i in range(3):
        m[i, i + 1 :] = m[i + 1 :, i]
    return np.sum(m**3)


@program([(A,)])
def symmetric_from_above(x):
    m = x * x
    for i in range(1, 3):
        m[i, :i] = m[:i, i]
        m[i, i] *= np.sum(m[:i, i])
    return np.sum(m**3)


@program([(A,)])
def rows_that_are_columns(x):
    m = x.copy()
    for i in range(3):
        m[i] = m[:, i]
    return np.sum(m**3)


@program([(A,)])
def column_that_is_a_row(x):
    m = x.copy()
    row = m[1]
    m.T[1] = row
    return np.sum(m**3)


@program([(V8,)])
def every_other_to_the_front(x):
    y = x * x
    y[:4] = y[::2]
    return np.sum(y**2 * x)


@program([(V8,)])
def every_other_kept_apart(x):
    y = x * x
    y[::2] = y[:4].copy()
    return np.sum(y**2 * x)


@program([(A,)])
def helper_that_stores(x):
    def put(row, values):
        row[...] = values

    m = x.copy()
    put(m[2], m[:, 2])
    return np.sum(m**3)


@program([(A,)])
def diagonal_of_one(x):
    m = x.copy()
    flat = m.ravel()
    m[0] = flat[::4]
    return np.sum(m**3)
