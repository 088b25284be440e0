"""Elements of an array by their place in its memory order: `x.flat`, stored to and read."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import M23, V3

WEIGHTS = np.arange(1.0, 7.0).reshape(2, 3)


@program([(V3,)], analytic=True)
def numbers_into_flat(x):
    y = np.zeros((2, 3), x.dtype)
    y.flat[2] = x[0] ** 2
    y.flat[-2] = x[1] * y[0, 2]
    for k in range(3):
        y.flat[k] += x[k] * y.flat[k + 1]
    return np.sum(y**2 * WEIGHTS)


@program([(M23,)], analytic=True)
def all_of_flat(m):
    y = m * 1.0
    y.flat = m.T**2
    z = np.zeros((2, 3), m.dtype)
    z.flat = m[0]  # which is repeated
    w = np.zeros((2, 3), m.dtype)
    w.flat = m[0, 1] * 3
    return np.sum((y + z * m + w) ** 2 * WEIGHTS)


@program([(M23, [3, 1], np.array([[True, False, True], [False, False, True]]))], analytic=True)
def parts_of_flat(m, places, mask):
    y = m * 1.0
    y.flat[1:5] = m[0, :2] ** 2  # repeated
    y.flat[::4] *= m[0, 0]
    y.flat[places] = m[1, :2] * 3
    y.flat[mask.ravel()] -= m[1] * y.flat[::2]
    return np.sum(y**2 * WEIGHTS)


@program([(M23,)], analytic=True)
def flat_of_what_lies_otherwise(m):
    y = np.zeros((3, 2), m.dtype).T
    y.flat[:4] = m[:, :2]
    row = y[1]
    row.flat[1:] = m[0, 1:] ** 2
    return np.sum(y**3 * WEIGHTS)


@program([(M23,)], analytic=True)
def flat_taken_apart(m):
    a, b, c, d, e, f = m.flat
    y = m.copy()
    y[0] = a * b
    g, *rest = y.flat[:3]
    return a * b + c * d**2 - e / f + g * rest[1]


@program([(M23,)], analytic=True)
def diagonal_by_flat(m):
    y = m @ m.T
    y.flat[:: len(y) + 1] += 1.5
    return np.linalg.det(y)
