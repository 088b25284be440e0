"""Matrices with a structure, made of vectors or of smaller matrices."""

from autodiff.templates.scipy.linalg.helpers import (
    block_diag_adjoint,
    circulant_adjoint,
    hankel_adjoint,
    hankel_row_adjoint,
    toeplitz_column_adjoint,
    toeplitz_row_adjoint,
)
from scipy import linalg

from autodiff.rules import d, linear


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
