"""Results of real arguments that are complex for some of them and real for others."""

import numpy as np
from scipy import linalg

from tests.language.corpus import program
from tests.language.data import V4

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


def transform(x):
    if len(x) == 1:
        return x
    even, odd = transform(x[::2]), transform(x[1::2])
    turned = np.exp(-2j * np.pi * np.arange(len(odd)) / len(x)) * odd
    return np.concatenate([even + turned, even - turned])


@program([(V4,)])
def power_spectrum_by_recursion(x):
    return np.sum(np.abs(transform(x)[1:] ** 2) ** 2)


def turned_by_depth(x):
    return x if len(x) == 1 else turned_by_depth(x[1:]) * 1j


@program([(V4,), (V4[:3],)])
def real_at_the_bottom_of_a_recursion(x):
    return np.sum(np.abs(turned_by_depth(x) ** 2) ** 2)


@program([(V4, 2)], wrt=(0,))
def lists_of_real_and_complex_arrays(x, n):
    parts = [x]
    for _ in range(n):
        parts = [1j * part for part in parts] + [x]
    return sum(np.sum(np.real(part**3)) for part in parts)


def turned_parts(x):
    if len(x) == 1:
        return [x]
    return [1j * part for part in turned_parts(x[1:])] + [x]


@program([(V4,)], refusable=True)
def lists_of_parts_by_recursion(x):
    return sum(np.sum(np.real(part**3)) for part in turned_parts(x))
