"""Products of vectors, matrices and tensors; convolution and interpolation."""

import operator

import numpy as np

from autodiff.rules import adjoint, d
from autodiff.runtime import (
    conj,
    einsum_adjoint,
    full_convolution,
    full_correlation,
    interp_slope,
    interp_values_adjoint,
    kron_left,
    kron_right,
    matmul_left,
    matmul_right,
    tensordot_left,
    tensordot_right,
    unbroadcast,
)

LINALG_2 = hasattr(np.linalg, "vecdot")  # NumPy 2.0 says many of these in np.linalg too


@adjoint(np.matmul, operator.matmul, *([np.linalg.matmul] if LINALG_2 else []))
def matmul(z, x, y):
    d[x] = (
        d[z] * conj(y)
        if np.ndim(x) == 1 and np.ndim(y) == 1
        else d[z] @ conj(y).T
        if np.ndim(x) <= 2 and np.ndim(y) == 2
        else np.outer(d[z], conj(y))
        if np.ndim(x) == 2 and np.ndim(y) == 1
        else matmul_left(d[z], x, y)
    )
    d[y] = (
        d[z] * conj(x)
        if np.ndim(x) == 1 and np.ndim(y) == 1
        else np.outer(conj(x), d[z])
        if np.ndim(x) == 1 and np.ndim(y) == 2
        else conj(x).T @ d[z]
        if np.ndim(x) == 2 and np.ndim(y) <= 2
        else matmul_right(d[z], x, y)
    )


@adjoint(np.dot)
def dot(z, a, b):
    d[a] = (
        unbroadcast(d[z] * conj(b), like=a)
        if np.ndim(a) == 0 or np.ndim(b) == 0
        else d[z] * conj(b)
        if np.ndim(a) == 1 and np.ndim(b) == 1
        else d[z] @ conj(b).T
        if np.ndim(a) <= 2 and np.ndim(b) == 2
        else np.outer(d[z], conj(b))
        if np.ndim(a) == 2 and np.ndim(b) == 1
        else tensordot_left(d[z], a, b, ([-1], [-2 if np.ndim(b) > 1 else 0]))
    )
    d[b] = (
        unbroadcast(d[z] * conj(a), like=b)
        if np.ndim(a) == 0 or np.ndim(b) == 0
        else d[z] * conj(a)
        if np.ndim(a) == 1 and np.ndim(b) == 1
        else np.outer(conj(a), d[z])
        if np.ndim(a) == 1 and np.ndim(b) == 2
        else conj(a).T @ d[z]
        if np.ndim(a) == 2 and np.ndim(b) <= 2
        else tensordot_right(d[z], a, b, ([-1], [-2 if np.ndim(b) > 1 else 0]))
    )


@adjoint(np.inner)
def inner(z, a, b):
    d[a] = (
        unbroadcast(d[z] * conj(b), like=a)
        if np.ndim(a) == 0 or np.ndim(b) == 0
        else d[z] * conj(b)
        if np.ndim(a) == 1 and np.ndim(b) == 1
        else tensordot_left(d[z], a, b, ([-1], [-1]))
    )
    d[b] = (
        unbroadcast(d[z] * conj(a), like=b)
        if np.ndim(a) == 0 or np.ndim(b) == 0
        else d[z] * conj(a)
        if np.ndim(a) == 1 and np.ndim(b) == 1
        else tensordot_right(d[z], a, b, ([-1], [-1]))
    )


@adjoint(np.outer, *([np.linalg.outer] if LINALG_2 else []))
def outer(z, a, b):
    d[a] = (
        d[z] @ conj(b)
        if np.ndim(a) == 1 and np.ndim(b) == 1
        else np.reshape(d[z] @ conj(np.ravel(b)), np.shape(a))
    )
    d[b] = (
        conj(a) @ d[z]
        if np.ndim(a) == 1 and np.ndim(b) == 1
        else np.reshape(conj(np.ravel(a)) @ d[z], np.shape(b))
    )


@adjoint(np.vdot)
def vdot(z, a, b):
    d[a] = conj(d[z]) * (b if np.ndim(a) == 1 else np.reshape(b, np.shape(a)))
    d[b] = d[z] * (a if np.ndim(b) == 1 else np.reshape(a, np.shape(b)))


if LINALG_2:

    @adjoint(np.vecdot, np.linalg.vecdot)
    def vecdot(z, x, y):
        d[x] = unbroadcast(conj(np.expand_dims(d[z], -1)) * y, like=x)
        d[y] = unbroadcast(np.expand_dims(d[z], -1) * x, like=y)


@adjoint(np.tensordot, *([np.linalg.tensordot] if LINALG_2 else []))
def tensordot(z, a, b, axes=2):
    d[a] = tensordot_left(d[z], a, b, axes)
    d[b] = tensordot_right(d[z], a, b, axes)


@adjoint(np.einsum)
def einsum(z, subscripts, *operands, optimize=False):
    d[operands] = [einsum_adjoint(d[z], subscripts, operands, k) for k in range(len(operands))]


@adjoint(np.kron)
def kron(z, a, b):
    d[a] = kron_left(d[z], a, b)
    d[b] = kron_right(d[z], a, b)


@adjoint(np.cross, *([np.linalg.cross] if LINALG_2 else []))
def cross(z, a, b, *, axis=-1):
    """Of vectors of three components; those of two are not handled."""
    d[a] = unbroadcast(np.cross(b, d[z], axis=axis), like=a)
    d[b] = unbroadcast(np.cross(d[z], a, axis=axis), like=b)


@adjoint(np.convolve)
def convolve(z, a, v, mode="full"):
    g = d[z] if mode == "full" else full_convolution(d[z], a, v, mode)
    d[a] = np.correlate(g, v, "valid")
    d[v] = np.correlate(g, a, "valid")


@adjoint(np.correlate)
def correlate(z, a, v, mode="valid"):
    g = d[z] if mode == "full" else full_correlation(d[z], a, v, mode)
    d[a] = np.correlate(g, conj(v[::-1]), "valid")
    d[v] = conj(np.correlate(g, a, "valid"))[::-1]


@adjoint(np.polyval)
def polyval(y, p, x):
    """The coefficient of the highest power comes first."""
    d[p] = unbroadcast(np.ravel(d[y]) @ conj(np.vander(np.ravel(x), np.size(p))), like=p)
    d[x] = unbroadcast(d[y] * conj(np.polyval(np.polyder(p), x)), like=x)


@adjoint(np.interp)
def interp(y, x, xp, fp):
    """Piecewise linear; outside the points constant."""
    d[x] = d[y] * interp_slope(x, xp, fp)
    d[xp] = -interp_values_adjoint(d[y] * interp_slope(x, xp, fp), x, xp)
    d[fp] = interp_values_adjoint(d[y], x, xp)
