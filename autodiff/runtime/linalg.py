"""Adjoints of linear algebra that no single NumPy expression says."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autodiff.runtime.broadcasting import conj, phase
from autodiff.runtime.extrema import winners


def adjoint_matrix(x: Any) -> Any:
    """The conjugate transpose of each matrix of a stack."""
    return conj(np.swapaxes(x, -1, -2))


def hermitian(x: Any) -> Any:
    """The Hermitian part of each matrix of a stack."""
    return (x + adjoint_matrix(x)) / 2


def mirrored(a: Any, lower: bool = True) -> Any:
    """The Hermitian matrix, or a stack of them, of which one triangle of `a` is read."""
    own = np.tril(a, -1) if lower else np.triu(a, 1)
    diagonal = np.eye(np.shape(a)[-1], dtype=bool)
    return np.where(diagonal, np.real(a), own + adjoint_matrix(own))


def of_triangle(g: Any, lower: bool = True) -> Any:
    """The adjoint of `a` when `g` is that of `mirrored(a, lower)`."""
    k = np.arange(np.shape(g)[-1])
    rows, columns = (k[:, None], k) if lower else (k, k[:, None])
    own = np.where(rows == columns, np.real(g), 0.0)
    return np.where(rows > columns, g + adjoint_matrix(g), own)


def solve_adjoint(g: Any, a: Any, b: Any) -> Any:
    """The adjoint of the right-hand side of `np.linalg.solve(a, b)`, of the shape of the result."""
    if np.ndim(g) == np.ndim(a) - 1:
        return np.linalg.solve(adjoint_matrix(a), g[..., None])[..., 0]
    return np.linalg.solve(adjoint_matrix(a), g)


def solve_root(a: Any, g: Any, y: Any) -> Any:
    """The solution of `a @ z = g`, of the shape of `y`; `a` has that shape twice."""
    if np.ndim(y) == 0:
        return g / a
    n = np.size(y)
    return np.reshape(np.linalg.solve(np.reshape(a, (n, n)), np.reshape(g, n)), np.shape(y))


def solve_root_transposed(a: Any, g: Any, y: Any) -> Any:
    """The solution of `z @ a = g`, of the shape of `y`; `a` has that shape twice."""
    if np.ndim(y) == 0:
        return g / a
    n = np.size(y)
    return np.reshape(np.linalg.solve(np.reshape(a, (n, n)).T, np.reshape(g, n)), np.shape(y))


def cofactors(a: Any, det: Any = None) -> Any:
    """The matrix of (conjugate) cofactors, det(a) inv(a)^H; right for singular matrices too.

    det: the determinant, where it is known already.
    """
    det = np.linalg.det(a) if det is None else det
    if np.ndim(a) == 2:
        if 0 < abs(det) < math.inf:
            return conj((np.linalg.inv(a) * det).T)
    elif np.all(det != 0) and np.all(np.isfinite(det)):
        return adjoint_matrix(np.linalg.inv(a) * det[..., None, None])
    return singular_cofactors(a)


def norm_slope(x: Any, y: Any, ord: Any, axis: Any) -> Any:
    """The derivative of a norm other than the Euclidean; `y` is the norm with its axes kept."""
    x = np.asarray(x)
    if isinstance(axis, int) or (x.ndim if axis is None else len(axis)) == 1:
        return vector_norm_slope(x, y, ord, axis)
    rows, columns = (-2, -1) if axis is None else axis
    if ord in (2, -2, "nuc"):
        moved = np.moveaxis(x, (rows, columns), (-2, -1))
        u, s, vh = np.linalg.svd(moved, full_matrices=False)
        best = s[..., :1] if ord == 2 else s[..., -1:]
        weight = np.ones_like(s) if ord == "nuc" else winners(s, best, -1, True)
        least = s[..., :1] * max(x.shape) * np.finfo(s.dtype).eps if ord == "nuc" else 0
        weight = np.where(s > least, weight, 0)  # at 0 the middle of the subgradients
        return np.moveaxis((u * weight[..., None, :]) @ vh, (-2, -1), (rows, columns))
    if ord in (1, -1, math.inf, -math.inf):
        along, over = (rows, columns) if ord in (1, -1) else (columns, rows)
        sums = np.sum(np.abs(x), axis=along, keepdims=True)
        best = (np.max if ord > 0 else np.min)(sums, axis=over, keepdims=True)
        return _sign(x) * winners(sums, best, over, True)
    raise NotImplementedError(f"the matrix norm of order {ord!r} has no derivative rule")


def vector_norm_slope(x: Any, y: Any, ord: Any, axis: Any) -> Any:
    """The derivative of a vector norm other than the Euclidean; `y` has its axes kept."""
    x = np.asarray(x)
    if ord == 0:
        return np.zeros_like(x)
    size = np.abs(x)
    if ord in (math.inf, -math.inf):
        return _sign(x) * winners(size, y, axis, True)
    if ord == 1:
        return _sign(x)
    ratio = size / np.where(y == 0, 1, y)
    flat = (size == 0) | (y == 0)  # a norm of negative order is 0 where one element is
    safe = np.where(flat, 1, ratio)
    return _sign(x) * np.where(flat, 0, safe ** (ord - 1)).astype(size.dtype)


def _sign(x: Any) -> Any:
    return phase(x) if np.iscomplexobj(x) else np.sign(x)


def cholesky_adjoint(g: Any, y: Any) -> Any:
    """The adjoint of the lower triangle of `a`, for `g` of `y = np.linalg.cholesky(a)`.

    Source: I. Murray, Differentiation of the Cholesky decomposition (2016).
    """
    inner = np.tril(adjoint_matrix(y) @ g)
    k = np.arange(inner.shape[-1])
    inner[..., k, k] = inner[..., k, k].real / 2
    right = np.linalg.solve(
        adjoint_matrix(y),
        adjoint_matrix(np.linalg.solve(adjoint_matrix(y), adjoint_matrix(hermitian(inner)))),
    )
    return of_triangle(right)


def pinv_adjoint(g: Any, a: Any, y: Any) -> Any:
    """The adjoint of `a` when `g` is that of `y = np.linalg.pinv(a)`, at constant rank.

    Source: Golub and Pereyra, The differentiation of pseudo-inverses (1973).
    """
    ah, yh, gh = adjoint_matrix(a), adjoint_matrix(y), adjoint_matrix(g)
    left, right = gh @ y @ yh, yh @ y @ gh
    return left - yh @ (g @ yh + ah @ left) + right - right @ ah @ yh


def matrix_power_adjoint(g: Any, a: Any, n: int) -> Any:
    """The adjoint of `a` when `g` is that of `np.linalg.matrix_power(a, n)`."""
    if n == 0:
        return np.zeros_like(a)
    ah = adjoint_matrix(a if n > 0 else np.linalg.inv(a))
    total = last = np.array(g)
    for _ in range(abs(n) - 1):  # the sum over k of ah^k g ah^(n - 1 - k)
        last = last @ ah
        total = ah @ total + last
    return total if n > 0 else -ah @ total @ ah


def cond_slope(x: Any, y: Any, p: Any) -> Any:
    """The derivative of `y = np.linalg.cond(x, p)`; `y` has two axes of length 1 in the end."""
    if p in (None, 2, -2):
        largest = np.linalg.norm(x, 2, (-2, -1), True)
        smallest = np.linalg.norm(x, -2, (-2, -1), True)
        most, least = norm_slope(x, largest, 2, (-2, -1)), norm_slope(x, smallest, -2, (-2, -1))
        return (least - y * most) / largest if p == -2 else (most - y * least) / smallest
    inverse = np.linalg.inv(x)
    size, other = (np.linalg.norm(m, p, (-2, -1), True) for m in (x, inverse))
    slope, back = _matrix_slope(x, size, p), _matrix_slope(inverse, other, p)
    return other * slope - size * (adjoint_matrix(inverse) @ back @ adjoint_matrix(inverse))


def _matrix_slope(x: Any, y: Any, p: Any) -> Any:
    return x / y if p in ("fro", "f") else norm_slope(x, y, p, (-2, -1))


def tensorsolve_right(g: Any, a: Any, b: Any, axes: Any) -> Any:
    """The adjoint of `b` when `g` is that of `np.linalg.tensorsolve(a, b, axes)`."""
    matrix = np.reshape(np.transpose(a, solved_axes(np.ndim(a), axes)), (np.size(b), np.size(g)))
    return np.reshape(np.linalg.solve(adjoint_matrix(matrix), np.ravel(g)), np.shape(b))


def tensorsolve_left(b_bar: Any, x: Any, a: Any, axes: Any) -> Any:
    """The adjoint of `a`; that of `b` is `b_bar`, and `x = np.linalg.tensorsolve(a, b, axes)`."""
    order = solved_axes(np.ndim(a), axes)
    product = -np.multiply.outer(b_bar, conj(x))
    moved = np.reshape(product, np.shape(np.transpose(a, order)))
    return np.transpose(moved, np.argsort(order))


def solved_axes(ndim: int, axes: Any) -> list[int]:
    """The axes of a tensor in the order in which `np.linalg.tensorsolve` makes a matrix of it."""
    last = [] if axes is None else [axis % ndim for axis in axes]
    return [axis for axis in range(ndim) if axis not in last] + last


def singular_cofactors(a: Any) -> Any:
    """The matrices of conjugate cofactors of a stack of square matrices, also singular ones.

    With a = u diag(s) v^H, det(a) = det(u) det(v^H) prod(s), and the derivatives of the determinant
    are those of diag(s), in which s enters by products of all but one or two of its elements.
    """
    u, s, vh = np.linalg.svd(a)
    n = s.shape[-1]
    left_out = np.eye(n, dtype=bool)
    products = np.prod(np.where(left_out, 1.0, s[..., None, :]), axis=-1)
    return _unit(u, vh) * ((u * products[..., None, :]) @ vh)


def cofactors_adjoint(g: Any, a: Any) -> Any:
    """The adjoint of `a`, singular or not, when `g` is that of its conjugate cofactors.

    The second derivative of det along e and f is the sum over i != j of
    p_ij (e_ii f_jj - e_ij f_ji), with p_ij the product of all singular values but the i-th and
    j-th, and e, f in the bases of the singular vectors.
    """
    u, s, vh = np.linalg.svd(a)
    n = s.shape[-1]
    one = np.eye(n, dtype=bool)
    left_out = one[:, None, :] | one[None, :, :]
    products = np.prod(np.where(left_out, 1.0, s[..., None, None, :]), axis=-1)
    products = np.where(one, 0.0, products)
    e = conj(np.swapaxes(u, -1, -2)) @ g @ conj(np.swapaxes(vh, -1, -2))
    diagonal = np.einsum("...ij,...ii->...j", products, e)
    inner = diagonal[..., None, :] * one - np.swapaxes(products * e, -1, -2)
    return _unit(u, vh) * (u @ conj(inner) @ vh)


def _unit(u: Any, vh: Any) -> Any:
    return np.expand_dims(conj(np.linalg.det(u) * np.linalg.det(vh)), (-2, -1))
