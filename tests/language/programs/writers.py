"""Functions of NumPy that write into an argument, and those that take functions."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import M23, V3, W3

TWICE = np.array([0, 1, 0])
MASK = np.array([[True, False, True], [False, False, True]])
WEIGHTS = np.arange(1.0, 7.0).reshape(2, 3)
ORDER = np.array([[2, 0, 1], [0, 2, 1]])


@program([(V3,)], analytic=True)
def put_by_position(x):
    y = np.ones(4) * x[0]
    np.put(y, [1, 2], x[:2] ** 2)
    y.put(3, x[1])
    return np.sum(y**2)


@program([(V3, M23)], analytic=False)
def put_into_matrix(x, m):
    y = m * 2.0
    np.put(y, [5, 0, 2], x)
    np.put(y, [1, 3], x[0])
    return np.sum(y**2 * WEIGHTS)


@program([(V3, M23)], analytic=False)
def put_where_masked(x, m):
    y = m * 2.0
    np.putmask(y, MASK, m**2)
    z = m * 1.0
    np.place(z, MASK, x)
    return np.sum(y**2 * WEIGHTS + y * z)


@program([(M23,), (M23[:1],)], analytic=True)
def put_along_rows(m):
    y = np.zeros((2, 3)) * m[0, 0]
    np.put_along_axis(y, ORDER, m * m, axis=1)
    np.put_along_axis(y, ORDER[:, :1], m[0, 1], 1)
    return np.sum(y**2 * WEIGHTS)


@program([(V3,)], analytic=True)
def diagonal_filled(x):
    y = np.outer(x, x)
    np.fill_diagonal(y, x**2)
    z = np.outer(x, x[:2])
    np.fill_diagonal(z, 3.0)
    return np.sum(y**2) + np.sum(z**2)


@program([(V3, M23)], analytic=False)
def copied_where_masked(x, m):
    y = m * 3.0
    np.copyto(y, x, where=MASK)
    np.copyto(y, m[0, 0], where=~MASK[0])
    return np.sum(y**2 * WEIGHTS)


@program([(V3, W3)], analytic=False)
def divided_where_possible(x, y):
    quotient = np.zeros(3)
    np.divide(x, y - y[0], out=quotient, where=y != y[0])
    root = np.sqrt(x, out=np.zeros(3), where=x > 0)
    return np.sum(quotient**2 + root)


@program([(V3,), (W3,)], analytic=False)
def sorted_in_place(x):
    y = 2.0 * x
    y.sort()
    z = np.stack([x, -x])
    z.sort(axis=0)
    z.partition(1, axis=1)
    return np.sum(y * np.arange(3.0)) + np.sum(z * WEIGHTS)


@program([(V3,)], analytic=False)
def subtracted_at(x):
    y = np.zeros(2)
    np.subtract.at(y, [0, 1, 0], x * x)
    return np.sum(y**2)


def middle(row):
    return row[1] * np.sum(row)


def halves(row):
    return np.array([row[0] * row[1], row[2] ** 2])


@program([(M23,)], analytic=True)
def applied_along_axis(m):
    rows = np.apply_along_axis(middle, 1, m)
    columns = np.apply_along_axis(lambda c: c[0] * c[1], 0, m)
    pairs = np.apply_along_axis(halves, 1, m)
    return np.sum(rows**2) + np.sum(columns**3) + np.sum(pairs * pairs[::-1])


@program([(M23,)], analytic=True)
def applied_over_axes(m):
    total = np.apply_over_axes(np.sum, m * m, [0, 1])
    means = np.apply_over_axes(np.mean, m, (0,))
    return np.sum(total * means**2)


@program([(M23,), (V3,)], analytic=False)
def methods_of_ufuncs(m):
    total = np.add.reduce(m * m) + np.maximum.reduce(m)
    running = np.multiply.accumulate(m) + np.logaddexp.accumulate(m)
    return np.sum(total**2) + np.sum(running**2) + np.sum(np.multiply.outer(m, m).ravel()[:5])


@program([(V3,), (W3,)], analytic=True)
def quotient_alone(x):
    return np.sum(np.polydiv(np.append(x, x[0] * x[1]), x[:2])[0] ** 2)


@program([(V3,), (W3,)], analytic=True)
def remainder_alone(x):
    return np.sum(np.polydiv(np.append(x, x[0] * x[1]), x[:2])[1] ** 2)


@program([(V3,)], analytic=False)
def edges_alone(x):
    return np.sum(np.histogram(x, 4)[1] ** 2) + np.sum(np.histogram(x[:2], [-1.0, 0.0, 1.0])[1])


@program([(W3,)], analytic=False)
def density_alone(x):
    places = np.array([0.1, 0.4, 0.6])
    return np.sum(np.histogram(places, 2, (0.0, 1.0), True, x**2)[0] ** 3)
