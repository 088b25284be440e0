"""Factorizations, eigenvalues and norms."""

import numpy as np
from autodiff.templates.scipy.linalg.helpers import (
    generalized_b_adjoint,
)
from autodiff.templates.scipy.linalg.systems import (
    cho_factor_adjoint,
    lu_adjoint,
    lu_factor_adjoint,
    permuted_lu_adjoint,
)
from scipy import linalg

from autodiff.rules import adjoint, d, registry
from autodiff.runtime import (
    adjoint_matrix,
    cholesky_adjoint,
    eig_adjoint,
    eigh_adjoint,
    eigvals_adjoint,
    norm_slope,
    qr_adjoint,
    qr_r_adjoint,
    svd_adjoint,
    svdvals_adjoint,
    vector_norm_slope,
)


@adjoint(linalg.cholesky)
def cholesky(y, a, lower=False, *, check_finite=True):
    d[a] = (
        cholesky_adjoint(d[y], y)
        if lower
        else adjoint_matrix(cholesky_adjoint(adjoint_matrix(d[y]), adjoint_matrix(y)))
    )


@adjoint(linalg.cho_factor)
def cho_factor(y, a, lower=False, *, check_finite=True):
    d[a] = cho_factor_adjoint(d[y][0], y[0], a, lower)


@adjoint(linalg.lu_factor)
def lu_factor(y, a, *, check_finite=True):
    d[a] = lu_factor_adjoint(d[y][0], y[0], y[1])


@adjoint(linalg.lu)
def lu(y, a, permute_l=False, *, check_finite=True):
    """Of square matrices."""
    d[a] = (
        permuted_lu_adjoint(d[y][0], d[y][1], y[0], y[1])
        if permute_l
        else y[0] @ lu_adjoint(d[y][1], d[y][2], y[1], y[2])
    )


@adjoint(linalg.qr)
def qr(y, a, *, mode="full", check_finite=True):
    """Of a stack, mode="r" gives an array in place of a tuple of one, up to SciPy 1.17."""
    d[a] = (
        qr_r_adjoint(d[y], a)
        if mode == "r" and np.ndim(a) > 2
        else qr_r_adjoint(d[y][0], a)
        if mode == "r"
        else qr_adjoint(d[y][0], d[y][1], y[0], y[1])
    )


@adjoint(linalg.svd)
def svd(y, a, full_matrices=True, compute_uv=True, *, check_finite=True, lapack_driver="gesdd"):
    d[a] = (
        svd_adjoint(d[y][0], d[y][1], d[y][2], y[0], y[1], y[2])
        if compute_uv
        else svdvals_adjoint(d[y], a)
    )


@adjoint(linalg.svdvals)
def svdvals(y, a, *, check_finite=True):
    d[a] = svdvals_adjoint(d[y], a)


registry.add_uncertain([linalg.eig])


@adjoint(linalg.eig)
def eig(y, a, *, check_finite=True):
    """For what does not depend on the phase of the eigenvectors."""
    d[a] = eig_adjoint(d[y][0], d[y][1], y[0], y[1], np.isrealobj(a))


@adjoint(linalg.eigvals)
def eigvals(y, a, *, check_finite=True):
    d[a] = eigvals_adjoint(d[y], a)


@adjoint(linalg.eigh)
def eigh(y, a, b=None, *, lower=True, eigvals_only=False, check_finite=True, driver=None):
    """In the triangles that are read of both matrices of a v = w b v."""
    both = linalg.eigh(a, b, lower=lower) if eigvals_only else y
    a_bar = (
        eigh_adjoint(d[y], None, both[0], both[1])
        if eigvals_only
        else eigh_adjoint(d[y][0], d[y][1], y[0], y[1])
    )
    b_bar = (
        generalized_b_adjoint(d[y], None, both[0], both[1])
        if eigvals_only
        else generalized_b_adjoint(d[y][0], d[y][1], y[0], y[1])
    )
    d[a] = a_bar if lower else adjoint_matrix(a_bar)
    d[b] = b_bar if lower else adjoint_matrix(b_bar)


@adjoint(linalg.eigvalsh)
def eigvalsh(w, a, b=None, *, lower=True, check_finite=True, driver=None):
    """In the triangles that are read of both matrices of a v = w b v."""
    both = linalg.eigh(a, b, lower=lower)
    a_bar = eigh_adjoint(d[w], None, both[0], both[1])
    b_bar = generalized_b_adjoint(d[w], None, both[0], both[1])
    d[a] = a_bar if lower else adjoint_matrix(a_bar)
    d[b] = b_bar if lower else adjoint_matrix(b_bar)


@adjoint(linalg.norm)
def norm(y, a, ord=None, axis=None, keepdims=False, check_finite=True):
    g = d[y] if axis is None or keepdims else np.expand_dims(d[y], axis)
    size = y if axis is None or keepdims else np.expand_dims(y, axis)
    d[a] = (
        g / np.where(size == 0, 1.0, size) * a
        if ord is None
        or ord == "fro"
        or ord == "f"
        or (ord == 2 and (np.ndim(a) == 1 or isinstance(axis, int)))
        else g * vector_norm_slope(a, size, ord, axis)
        if np.ndim(a) == 1 or isinstance(axis, int)
        else g * norm_slope(a, size, ord, axis)
    )
