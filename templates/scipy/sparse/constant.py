"""Sparse matrices that carry no derivative, beside what has one: they stay what they are.

    y = A @ x             x_bar = transposed_product(A, y_bar)
    x = spsolve(A, b)     b_bar = transposed_solution(A, x_bar)

Where a matrix carries one, what these functions do is followed.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from scipy.sparse import linalg
from scipy.sparse._base import _spbase

from autodiff.rules import d, foreign, multilinear, registry


def plain_product(matrix, x):
    """A sparse matrix times a vector or matrix."""
    return matrix @ x


def transposed_product(matrix, g):
    """The same, transposed and conjugated."""
    return matrix.conj().T @ g


def row_product(x, matrix):
    """A vector or matrix times a sparse matrix."""
    return x @ matrix


def transposed_row_product(g, matrix):
    """The same, transposed and conjugated."""
    return g @ matrix.conj().T


def plain_solution(matrix, b):
    """What solves a system with a sparse matrix."""
    return linalg.spsolve(matrix, b)


def transposed_solution(matrix, g):
    """The same, transposed and conjugated."""
    return linalg.spsolve(matrix.conj().T.tocsc(), g)


@multilinear(_spbase.__matmul__, plain_product)
def matmul(y, self, other):
    d[other] = transposed_product(self, d[y])


@multilinear(transposed_product)
def of_transposed_product(y, matrix, g):
    d[g] = plain_product(matrix, d[y])


@multilinear(_spbase.__rmatmul__)
def rmatmul(y, self, other):
    d[other] = transposed_row_product(d[y], self)


@multilinear(row_product)
def of_row_product(y, x, matrix):
    d[x] = transposed_row_product(d[y], matrix)


@multilinear(transposed_row_product)
def of_transposed_row_product(y, g, matrix):
    d[g] = row_product(d[y], matrix)


@multilinear(plain_solution)
def of_solution(x, matrix, b):
    d[b] = transposed_solution(matrix, d[x])


@multilinear(linalg.spsolve)
def of_spsolve(x, A, b, permc_spec=None, use_umfpack=True):
    d[b] = np.reshape(transposed_solution(A, d[x]), np.shape(b))


@multilinear(transposed_solution)
def of_transposed_solution(x, matrix, g):
    d[g] = plain_solution(matrix, d[x])


def dot(self, other):
    return self * other if np.ndim(other) == 0 else self @ other


foreign.add_followed(("scipy.sparse",))
foreign.add_axes_of({_spbase.__matmul__: 1, _spbase.__rmatmul__: 1})
foreign.add_axes_of({plain_product: 1, transposed_product: 1, row_product: 0})
foreign.add_axes_of({transposed_row_product: 0, plain_solution: 1, transposed_solution: 1})
registry.add_written({_spbase.dot: dot})
