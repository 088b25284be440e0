"""Indices that are tuples, hold tuples, or come as tuples of arrays from NumPy."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import M23, V3


@program([(M23, (0, 0)), (M23, (2, 1))], analytic=True)
def tuple_that_is_an_array_in_an_index(m, which):
    taken = m[:, which]
    weights = np.array([1.0, 3.0])
    return np.sum(taken**2 * weights) + np.sum(m[(1, 1),] ** 3) + np.sum(m[(0, 0), 1:])


@program([(M23, (0, 0))], analytic=True)
def what_a_tuple_in_an_index_takes_is_a_copy(m, which):
    taken = m[:, which]
    taken[0] = 7.0
    return np.sum(taken**2) + np.sum(m**3)


@program([(M23,)], analytic=True)
def tuples_of_arrays_from_numpy(m):
    total = np.sum(m[np.triu_indices(2)] ** 3) + np.sum(m[np.ix_([0, 1, 1], [2, 0])] ** 2)
    total = total + np.sum(m[np.unravel_index([1, 1, 5], (2, 3))] ** 3)
    return total + np.sum(m[np.nonzero(m.real > 0)] ** 2) + np.sum(m[np.diag_indices(2)] ** 4)


@program([(M23,)], analytic=True)
def tuples_of_slices_and_lists(m):
    columns, rows, every = (slice(None), [0, 0]), (1, slice(1, None)), np.s_[::-1, 1:]
    return np.sum(m[columns] ** 2) + np.sum(m[rows] ** 3) + np.sum(m[every] ** 2 * m[:, :2])


@program([(np.concatenate([V3, 0.5 * V3]),)], analytic=True)
def triangle_of_parameters(theta):
    lower = np.zeros((3, 3), theta.dtype)
    lower[np.tril_indices(3)] = theta
    lower[np.diag_indices(3)] = np.exp(lower[np.diag_indices(3)])
    return np.sum((lower @ lower.T) ** 2)


@program([(M23,)], analytic=True)
def arrays_without_axes_in_an_index(m):
    return np.sum(m[np.array(1)] ** 2) + m[np.array(1), np.array(2)] ** 3
