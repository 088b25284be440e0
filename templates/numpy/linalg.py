"""Linear algebra. Sources: M. B. Giles, Collected matrix derivative results (2008)."""

import math

import numpy as np

from autodiff.rules import adjoint, d, newer, nondifferentiable, registry
from autodiff.runtime import (
    adjoint_matrix,
    cholesky_adjoint,
    cofactors,
    cond_slope,
    conj,
    eig_adjoint,
    eigh_adjoint,
    eigvals_adjoint,
    lstsq_adjoint,
    matrix_power_adjoint,
    mirrored,
    multi_dot_adjoint,
    norm_slope,
    of_triangle,
    pinv_adjoint,
    qr_adjoint,
    qr_r_adjoint,
    solve_adjoint,
    svd_adjoint,
    svdvals_adjoint,
    tensorsolve_left,
    tensorsolve_right,
    unbroadcast,
    vector_norm_slope,
)

NUMPY_2 = hasattr(np.linalg, "vector_norm")


@adjoint(np.linalg.inv)
def inv(y, a):
    d[a] = (
        -conj(y).T @ d[y] @ conj(y).T
        if np.ndim(y) == 2
        else -adjoint_matrix(y) @ d[y] @ adjoint_matrix(y)
    )


@adjoint(np.linalg.solve, linear_in=("b",))
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
        g / np.where(size == 0, 1.0, size) * x
        if ord is None
        or ord == "fro"
        or ord == "f"
        or (ord == 2 and (np.ndim(x) == 1 or isinstance(axis, int)))
        else g * vector_norm_slope(x, size, ord, axis)
        if np.ndim(x) == 1 or isinstance(axis, int)
        else g * norm_slope(x, size, ord, axis)
    )


@adjoint(newer.linalg.vector_norm)
def vector_norm(y, x, *, axis=None, keepdims=False, ord=2):
    g = d[y] if axis is None or keepdims else np.expand_dims(d[y], axis)
    size = y if axis is None or keepdims else np.expand_dims(y, axis)
    d[x] = (
        g / np.where(size == 0, 1.0, size) * x
        if ord == 2
        else g * vector_norm_slope(x, size, ord, axis)
    )


@adjoint(newer.linalg.matrix_norm)
def matrix_norm(y, x, *, keepdims=False, ord="fro"):
    g = d[y] if keepdims else np.expand_dims(d[y], (-2, -1))
    size = y if keepdims else np.expand_dims(y, (-2, -1))
    d[x] = (
        g / np.where(size == 0, 1.0, size) * x
        if ord == "fro" or ord == "f"
        else g * norm_slope(x, size, ord, (-2, -1))
    )


@adjoint(newer.linalg.svdvals)
def svdvals(y, x):
    d[x] = svdvals_adjoint(d[y], x)


@adjoint(np.linalg.svd)
def svd(y, a, full_matrices=True, compute_uv=True, hermitian=False):
    """For what does not depend on the phase of singular vectors, or on the basis of a null space.

    Of a matrix that is said to be Hermitian, the lower triangle is read.
    """
    a_bar = (
        svd_adjoint(d[y][0], d[y][1], d[y][2], y[0], y[1], y[2])
        if compute_uv
        else svdvals_adjoint(d[y], mirrored(a) if hermitian else a)
    )
    d[a] = of_triangle(a_bar) if hermitian else a_bar


@adjoint(np.linalg.qr)
def qr(y, a, mode="reduced"):
    d[a] = qr_r_adjoint(d[y], a) if mode == "r" else qr_adjoint(d[y][0], d[y][1], y[0], y[1])


registry.add_uncertain([np.linalg.eig, np.linalg.eigvals])


@adjoint(np.linalg.eig)
def eig(y, a):
    """For what does not depend on the phase of the eigenvectors."""
    d[a] = eig_adjoint(d[y][0], d[y][1], y[0], y[1], np.isrealobj(a))


@adjoint(np.linalg.eigvals)
def eigvals(y, a):
    d[a] = eigvals_adjoint(d[y], a)


if NUMPY_2:

    @adjoint(np.linalg.cholesky)
    def cholesky(y, a, *, upper=False):
        d[a] = (
            adjoint_matrix(cholesky_adjoint(adjoint_matrix(d[y]), adjoint_matrix(y)))
            if upper
            else cholesky_adjoint(d[y], y)
        )

else:

    @adjoint(np.linalg.cholesky)
    def lower_cholesky(y, a):
        d[a] = cholesky_adjoint(d[y], y)


@adjoint(np.linalg.eigh)
def eigh(y, a, UPLO="L"):
    d[a] = (
        eigh_adjoint(d[y][0], d[y][1], y[0], y[1])
        if UPLO == "L" or UPLO == "l"
        else adjoint_matrix(eigh_adjoint(d[y][0], d[y][1], y[0], y[1]))
    )


@adjoint(np.linalg.eigvalsh)
def eigvalsh(y, a, UPLO="L"):
    both = np.linalg.eigh(a, UPLO)
    d[a] = (
        eigh_adjoint(d[y], None, both[0], both[1])
        if UPLO == "L" or UPLO == "l"
        else adjoint_matrix(eigh_adjoint(d[y], None, both[0], both[1]))
    )


if NUMPY_2:

    @adjoint(np.linalg.pinv)
    def pinv(y, a, rcond=None, hermitian=False, *, rtol=None):
        """At constant rank; of a matrix that is said to be Hermitian, one triangle is read."""
        a_bar = pinv_adjoint(d[y], mirrored(a) if hermitian else a, y)
        d[a] = of_triangle(a_bar) if hermitian else a_bar

else:

    @adjoint(np.linalg.pinv)
    def pinv_1(y, a, rcond=None, hermitian=False):
        a_bar = pinv_adjoint(d[y], mirrored(a) if hermitian else a, y)
        d[a] = of_triangle(a_bar) if hermitian else a_bar


@adjoint(np.linalg.lstsq)
def lstsq(y, a, b, rcond=None):
    """At constant rank."""
    bars = lstsq_adjoint(d[y][0], d[y][1], d[y][3], a, b, y[0], y[2])
    d[a] = bars[0]
    d[b] = bars[1]


@adjoint(np.linalg.cond)
def cond(y, x, p=None):
    d[x] = (
        d[y] * cond_slope(x, y, p)
        if np.ndim(x) == 2
        else np.expand_dims(d[y], (-2, -1)) * cond_slope(x, np.expand_dims(y, (-2, -1)), p)
    )


@adjoint(np.linalg.tensorinv)
def tensorinv(y, a, ind=2):
    n = math.prod(np.shape(a)[:ind])
    inverse = np.transpose(conj(np.reshape(y, (n, n))))
    d[a] = np.reshape(-inverse @ np.reshape(d[y], (n, n)) @ inverse, np.shape(a))


@adjoint(np.linalg.tensorsolve)
def tensorsolve(x, a, b, axes=None):
    b_bar = tensorsolve_right(d[x], a, b, axes)
    d[a] = tensorsolve_left(b_bar, x, a, axes)
    d[b] = b_bar


@adjoint(np.linalg.matrix_power)
def matrix_power(y, a, n):
    d[a] = matrix_power_adjoint(d[y], a, n)


@adjoint(np.linalg.multi_dot)
def multi_dot(y, arrays):
    d[arrays] = [multi_dot_adjoint(d[y], arrays, k) for k in range(len(arrays))]


nondifferentiable(np.linalg.matrix_rank)
