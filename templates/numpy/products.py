"""Products of vectors, matrices and tensors; convolution and interpolation."""

import operator

import numpy as np

from autodiff.rules import adjoint, d, multilinear, newer
from autodiff.runtime import (
    conj,
    einsum_adjoint,
    einsum_listed_adjoint,
    full_convolution,
    full_correlation,
    gradient_adjoint,
    interp_slope,
    interp_values_adjoint,
    kron_left,
    kron_right,
    matmul_left,
    matmul_right,
    spacing_adjoint,
    tensordot_left,
    tensordot_right,
    turned,
    unbroadcast,
)


@multilinear(np.matmul, operator.matmul, newer.linalg.matmul)
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


@multilinear(np.dot)
def dot(z, a, b):
    d[a] = (
        unbroadcast(d[z] * conj(b), like=a)
        if np.ndim(a) == 0 or np.ndim(b) == 0
        else d[z] * conj(b)
        if np.ndim(a) == 1 and np.ndim(b) == 1
        else np.dot(d[z], conj(b).T)
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
        else np.dot(conj(a).T, d[z])
        if np.ndim(a) == 2 and np.ndim(b) <= 2
        else tensordot_right(d[z], a, b, ([-1], [-2 if np.ndim(b) > 1 else 0]))
    )


@multilinear(np.inner)
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


@multilinear(np.outer, newer.linalg.outer)
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


@multilinear(np.vdot)
def vdot(z, a, b):
    d[a] = conj(d[z]) * (b if np.ndim(a) == 1 else np.reshape(b, np.shape(a)))
    d[b] = d[z] * (a if np.ndim(b) == 1 else np.reshape(a, np.shape(b)))


@multilinear(newer.vecdot, newer.linalg.vecdot)
def vecdot(z, x, y):
    d[x] = unbroadcast(conj(np.expand_dims(d[z], -1)) * y, like=x)
    d[y] = unbroadcast(np.expand_dims(d[z], -1) * x, like=y)


@multilinear(np.tensordot, newer.linalg.tensordot)
def tensordot(z, a, b, axes=2):
    d[a] = tensordot_left(d[z], a, b, axes)
    d[b] = tensordot_right(d[z], a, b, axes)


@multilinear(np.einsum)
def einsum(z, subscripts, *operands, dtype=None, order="K", casting="safe", optimize=False):
    """The subscripts are a string, or lists behind each operand."""
    d[subscripts] = (
        0.0
        if isinstance(subscripts, str)
        else einsum_listed_adjoint(d[z], subscripts, operands, -1)
    )
    d[operands] = (
        [einsum_adjoint(d[z], subscripts, operands, k) for k in range(len(operands))]
        if isinstance(subscripts, str)
        else [einsum_listed_adjoint(d[z], subscripts, operands, k) for k in range(len(operands))]
    )


@multilinear(np.kron)
def kron(z, a, b):
    d[a] = kron_left(d[z], a, b)
    d[b] = kron_right(d[z], a, b)


@multilinear(np.cross)
def cross(z, a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """The product of vectors of two components, which has an axis less, is a number each."""
    of_a = axisa if axis is None else axis
    of_b = axisb if axis is None else axis
    of_z = axisc if axis is None else axis
    d[a] = unbroadcast(
        turned(d[z], conj(b), of_b, of_a)
        if np.ndim(z) < np.ndim(a) or np.ndim(z) < np.ndim(b)
        else np.cross(conj(b), d[z], of_b, of_z, of_a),
        like=a,
    )
    d[b] = unbroadcast(
        -turned(d[z], conj(a), of_a, of_b)
        if np.ndim(z) < np.ndim(a) or np.ndim(z) < np.ndim(b)
        else np.cross(d[z], conj(a), of_z, of_a, of_b),
        like=b,
    )


@multilinear(newer.linalg.cross)
def cross_of_linalg(z, x1, x2, *, axis=-1):
    d[x1] = unbroadcast(np.cross(conj(x2), d[z], axis=axis), like=x1)
    d[x2] = unbroadcast(np.cross(d[z], conj(x1), axis=axis), like=x2)


@multilinear(np.convolve)
def convolve(z, a, v, mode="full"):
    """A mode may be given as its number, too. The longer operand gets its ends back."""
    valid = mode == "valid" or mode == 0
    whole = valid or mode == "full" or mode == 2
    g = d[z] if whole else full_convolution(d[z], a, v, mode)
    d[a] = (
        np.correlate(g, v, "full")
        if valid and len(a) >= len(v)
        else np.correlate(g, v, "valid")
    )
    d[v] = (
        np.correlate(g, a, "full")
        if valid and len(a) < len(v)
        else np.correlate(g, a, "valid")
    )


@multilinear(np.correlate)
def correlate(z, a, v, mode="valid"):
    g = d[z] if mode == "full" or mode == 2 else full_correlation(d[z], a, v, mode)
    d[a] = np.correlate(g, conj(v[::-1]), "valid")
    d[v] = conj(np.correlate(g, a, "valid"))[::-1]


@adjoint(np.interp)
def interp(y, x, xp, fp, left=None, right=None, period=None):
    """Piecewise linear; outside the points constant."""
    slope = interp_slope(x, xp, fp, left, right, period)
    d[x] = d[y] * conj(slope)
    d[xp] = -interp_values_adjoint(d[y] * conj(slope), x, xp, left, right, period)
    d[fp] = interp_values_adjoint(d[y], x, xp, left, right, period)
    d[left] = 0.0 if period is not None else np.sum(np.where(np.less(x, xp[0]), d[y], 0.0))
    d[right] = 0.0 if period is not None else np.sum(np.where(np.greater(x, xp[-1]), d[y], 0.0))


@adjoint(np.gradient, linear_in=("f",))
def gradient(y, f, *varargs, axis=None, edge_order=1):
    d[f] = gradient_adjoint(d[y], f, varargs, axis, edge_order)
    d[varargs] = [
        spacing_adjoint(
            d[y],
            y,
            f,
            varargs,
            k if axis is None else axis[k] if isinstance(axis, tuple) else axis,
            edge_order,
            k,
        )
        for k in range(len(varargs))
    ]


@multilinear(newer.matvec)
def matvec(y, x1, x2):
    d[x1] = unbroadcast(np.expand_dims(d[y], -1) * conj(np.expand_dims(x2, -2)), like=x1)
    d[x2] = unbroadcast(
        (conj(np.swapaxes(x1, -1, -2)) @ np.expand_dims(d[y], -1))[..., 0], like=x2
    )


@multilinear(newer.vecmat)
def vecmat(y, x1, x2):
    """The vector is conjugated."""
    d[x1] = unbroadcast((x2 @ np.expand_dims(conj(d[y]), -1))[..., 0], like=x1)
    d[x2] = unbroadcast(np.expand_dims(x1, -1) * np.expand_dims(d[y], -2), like=x2)
