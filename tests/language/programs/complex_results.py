"""Results of real arguments that are complex for some of them and real for others."""

import numpy as np
from scipy import linalg

from tests.language.corpus import program

SPIRAL = np.array([[1.0, -2.0], [1.5, 0.8]])
MATRIX = np.array([[3.0, -4.0, 5.0], [1.0, 2.0, 3.0], [0.5, -1.0, 2.0]])
SYMMETRIC = np.array([[2.0, 0.5], [0.5, 1.2]])


@program([(SPIRAL,), (MATRIX,), (SYMMETRIC,)])
def eigenvalues(a):
    w = np.linalg.eigvals(a)
    return np.sum(np.abs(w**3 + 1j * w.real) ** 2)


@program([(SPIRAL,), (MATRIX,)])
def eigenvalues_and_vectors(a):
    w, v = np.linalg.eig(a)
    return np.sum((w * w * 1j).real ** 2) + np.sum(np.abs(w) ** 2 * np.abs(v[0]) ** 2)


@program([(SPIRAL,), (MATRIX,)])
def roots_of_a_polynomial(a):
    w = np.roots(a[0])
    return np.sum(np.abs(w * w + 2j * w) ** 2)


@program([(SPIRAL,), (MATRIX,), (SYMMETRIC,)], repeatable=False)
def square_root_of_a_matrix(a):
    w = linalg.sqrtm(a)
    return np.sum(np.abs(w @ w @ w * (1 + 2j)) ** 2)


@program([(SPIRAL,), (MATRIX,), (-MATRIX,), (-SYMMETRIC,)], repeatable=False)
def logarithm_of_a_matrix(a):
    w = linalg.logm(a)
    return np.sum(np.abs(w @ w + 1j * w.real) ** 2)

