"""Ranges, tuples and lists of whole numbers beside arrays: NumPy makes arrays of them."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import V3


@program([(V3,)], analytic=True)
def operators_beside_a_range(x):
    return np.sum((x * range(1, 4)) ** 2 + (range(3) - x) ** 3) + x @ range(3) + x @ (1, 2, 3)


@program([(V3,)], analytic=True)
def joined_to_ranges(x):
    joined = np.concatenate((range(2), x, (1, 2))) ** 2
    return np.sum(joined) + np.sum(np.append(x, range(3)) ** 2)


@program([(V3,)], analytic=True)
def stacked_on_tuples(x):
    rows = np.vstack([x, (1, 2, 3), range(3)]) + np.array([x, (4.0, 5.0, 6.0), [7, 8, 9]])
    return np.sum(rows**2) + np.sum(np.column_stack((x, (1, 2, 3))) ** 2)


@program([(V3,)], analytic=True)
def outer_with_a_range(x):
    return np.sum(np.subtract.outer(x, range(2)) ** 2) + np.sum(np.multiply.outer((1, 2), x) ** 2)


@program([(V3,)], analytic=True)
def blocks_beside_an_array(x):
    return np.sum(np.block([x, np.arange(2)]) ** 2)


@program([(V3, 2), (V3, 3)], analytic=True)
def resized_by_an_array(x, n):
    y = np.resize(x, np.array([n, 3]))
    return np.sum(y[0] * y[-1] ** 2 * np.arange(3.0)) + np.sum(np.resize(x * x, (n, 2)) ** 2)
