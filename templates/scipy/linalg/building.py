"""Matrices with a structure, made of vectors or of smaller matrices."""

import numpy as np
from autodiff.templates.scipy.linalg.helpers import (
    block_diag_adjoint,
    circulant_adjoint,
    convolution_matrix_adjoint,
    hankel_adjoint,
    hankel_row_adjoint,
    toeplitz_column_adjoint,
    toeplitz_row_adjoint,
)
from scipy import linalg

from autodiff.rules import adjoint, d, linear, multilinear, nondifferentiable
from autodiff.runtime import conj

nondifferentiable(linalg.bandwidth, linalg.ishermitian, linalg.issymmetric)


@linear(linalg.toeplitz)
def toeplitz(y, c, r=None):
    d[c] = toeplitz_column_adjoint(d[y], c, r)
    d[r] = toeplitz_row_adjoint(d[y], r)


@linear(linalg.circulant)
def circulant(y, c):
    d[c] = circulant_adjoint(d[y])


@linear(linalg.block_diag)
def block_diag(y, *arrs):
    d[arrs] = block_diag_adjoint(d[y], arrs)


@linear(linalg.hankel)
def hankel(y, c, r=None):
    d[c] = hankel_adjoint(d[y], c, 0)
    d[r] = hankel_row_adjoint(d[y], c, r)


@adjoint(linalg.companion)
def companion(y, a):
    """The first row is -a[1:] / a[0]."""
    row = d[y][0] / conj(a[0])
    d[a] = -np.concatenate([np.sum(row * conj(y[0]), keepdims=True), row])


@linear(linalg.leslie)
def leslie(y, f, s):
    d[f] = d[y][0]
    d[s] = np.diagonal(d[y], -1)


@adjoint(linalg.fiedler)
def fiedler(y, a):
    """Of real numbers."""
    slope = np.sign(a[:, None] - a[None, :])
    d[a] = np.sum((d[y] + d[y].T) * slope, axis=1)


@linear(linalg.convolution_matrix)
def convolution_matrix(y, a, n, mode="full"):
    d[a] = convolution_matrix_adjoint(d[y], a, n, mode)


@multilinear(linalg.khatri_rao)
def khatri_rao(y, a, b):
    blocks = np.reshape(d[y], (np.shape(a)[0], np.shape(b)[0], -1))
    d[a] = np.sum(blocks * conj(b)[None], axis=1)
    d[b] = np.sum(blocks * conj(a)[:, None], axis=0)
