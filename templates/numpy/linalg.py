"""Linear algebra. Sources: M. B. Giles, Collected matrix derivative results (2008)."""

import numpy as np

from autodiff.rules import adjoint, d, nondifferentiable
from autodiff.runtime import (
    adjoint_matrix,
    cholesky_adjoint,
    cofactors,
    conj,
    eig_adjoint,
    eigh_adjoint,
    eigvals_adjoint,
    hermitian,
    matrix_power_adjoint,
    multi_dot_adjoint,
    norm_slope,
    pinv_adjoint,
    qr_adjoint,
    qr_r_adjoint,
    solve_adjoint,
    svd_adjoint,
    svdvals_adjoint,
    unbroadcast,
    vector_norm_slope,
)


@adjoint(np.linalg.inv)
def inv(y, a):
    d[a] = (
        -conj(y).T @ d[y] @ conj(y).T
        if np.ndim(y) == 2
        else -adjoint_matrix(y) @ d[y] @ adjoint_matrix(y)
    )


@adjoint(np.linalg.solve)
def solve(x, a, b):
    b_bar = np.linalg.solve(conj(a).T, d[x]) if np.ndim(a) == 2 else solve_adjoint(d[x], a, b)
    d[a] = (
        -np.outer(b_bar, conj(x))
        if np.ndim(x) == 1
        else -np.expand_dims(b_bar, -1) * np.expand_dims(conj(x), -2)
        if np.ndim(x) == np.ndim(a) - 1
        else -b_bar @ conj(x).T
        if np.ndim(a) == 2 and np.ndim(x) == 2
        else unbroadcast(-b_bar @ adjoint_matrix(x), like=a)
    )
    d[b] = unbroadcast(b_bar, like=b)


@adjoint(np.linalg.det)
def det(y, a):
    d[a] = (
        d[y] * cofactors(a, y)
        if np.ndim(a) == 2
        else np.expand_dims(d[y], (-2, -1)) * cofactors(a, y)
    )


@adjoint(np.linalg.slogdet)
def slogdet(y, a):
    d[a] = (
        d[y][1] * np.linalg.inv(a).T
        if np.ndim(a) == 2 and np.isrealobj(a)
        else np.expand_dims(
            d[y][1] + (0.0 if np.isrealobj(a) else 1j * np.imag(d[y][0] * conj(y[0]))), (-2, -1)
        )
        * adjoint_matrix(np.linalg.inv(a))
    )


@adjoint(np.linalg.norm)
def norm(y, x, ord=None, axis=None, keepdims=False):
    g = d[y] if axis is None or keepdims else np.expand_dims(d[y], axis)
    size = y if axis is None or keepdims else np.expand_dims(y, axis)
    d[x] = (
        g * x / np.where(size == 0, 1.0, size)
        if ord is None or ord == "fro" or (ord == 2 and (np.ndim(x) == 1 or isinstance(axis, int)))
        else g * norm_slope(x, size, ord, axis)
    )


if hasattr(np.linalg, "vector_norm"):  # NumPy 2.0

    @adjoint(np.linalg.vector_norm)
    def vector_norm(y, x, *, axis=None, keepdims=False, ord=2):
        g = d[y] if axis is None or keepdims else np.expand_dims(d[y], axis)
        size = y if axis is None or keepdims else np.expand_dims(y, axis)
        d[x] = (
            g * x / np.where(size == 0, 1.0, size)
            if ord == 2
            else g * vector_norm_slope(x, size, ord, axis)
        )

    @adjoint(np.linalg.matrix_norm)
    def matrix_norm(y, x, *, keepdims=False, ord="fro"):
        g = d[y] if keepdims else np.expand_dims(d[y], (-2, -1))
        size = y if keepdims else np.expand_dims(y, (-2, -1))
        d[x] = (
            g * x / np.where(size == 0, 1.0, size)
            if ord == "fro"
            else g * norm_slope(x, size, ord, (-2, -1))
        )

    @adjoint(np.linalg.svdvals)
    def svdvals(y, x):
        d[x] = svdvals_adjoint(d[y], x)


@adjoint(np.linalg.svd)
def svd(y, a, full_matrices=True, compute_uv=True):
    d[a] = (
        svd_adjoint(d[y][0], d[y][1], d[y][2], y[0], y[1], y[2])
        if compute_uv
        else svdvals_adjoint(d[y], a)
    )


@adjoint(np.linalg.qr)
def qr(y, a, mode="reduced"):
    d[a] = qr_r_adjoint(d[y], a) if mode == "r" else qr_adjoint(d[y][0], d[y][1], y[0], y[1])


@adjoint(np.linalg.eig)
def eig(y, a):
    """For what does not depend on the phase of the eigenvectors."""
    d[a] = eig_adjoint(d[y][0], d[y][1], y[0], y[1])


@adjoint(np.linalg.eigvals)
def eigvals(y, a):
    d[a] = eigvals_adjoint(d[y], a)


@adjoint(np.linalg.cholesky)
def cholesky(y, a):
    d[a] = cholesky_adjoint(d[y], y)


@adjoint(np.linalg.eigh)
def eigh(y, a, UPLO="L"):
    d[a] = eigh_adjoint(d[y][0], d[y][1], y[0], y[1])


@adjoint(np.linalg.eigvalsh)
def eigvalsh(y, a, UPLO="L"):
    v = np.linalg.eigh(a, UPLO)[1]
    d[a] = hermitian((v * np.expand_dims(d[y], -2)) @ adjoint_matrix(v))


@adjoint(np.linalg.pinv)
def pinv(y, a):
    d[a] = pinv_adjoint(d[y], a, y)


@adjoint(np.linalg.matrix_power)
def matrix_power(y, a, n):
    d[a] = matrix_power_adjoint(d[y], a, n)


@adjoint(np.linalg.multi_dot)
def multi_dot(y, arrays):
    d[arrays] = [multi_dot_adjoint(d[y], arrays, k) for k in range(len(arrays))]


nondifferentiable(np.linalg.matrix_rank)
