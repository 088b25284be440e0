"""Adjoints of linear systems: of general, triangular, banded and factorized matrices.

Where a stack of matrices has one vector as its right-hand side, vectors are columns in between.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from autodiff.rules import nondifferentiable, registry
from autodiff.runtime import adjoint_matrix, cholesky_adjoint, conj, of_triangle, unbroadcast

_SYMMETRIC = ("sym", "symmetric", "her", "hermitian", "pos", "positive definite")


def outer_columns(x: Any, y: Any) -> Any:
    """The sum over right-hand sides of the products x y^H, for one (vectors) or several."""
    if np.ndim(x) == 1:
        return np.outer(x, conj(y))
    return x @ adjoint_matrix(y)


def columns(x: Any, a: Any, b: Any) -> Any:
    """`x`, of the shape of the solution of a x = b; for a stack and one vector `b`, as columns."""
    return np.expand_dims(x, -1) if np.ndim(b) == 1 and np.ndim(a) > 2 else x


def without_columns(x: Any, a: Any, b: Any) -> Any:
    """The opposite of `columns`, summed to the shape of `b`."""
    return unbroadcast(x[..., 0] if np.ndim(b) == 1 and np.ndim(a) > 2 else x, like=b)


def solved_right(g: Any, a: Any, lower: bool, assume_a: str | None, transposed: bool) -> Any:
    """The adjoint of `b` when `g` is that of `scipy.linalg.solve(a, b, ...)`."""
    if assume_a in _SYMMETRIC:  # one triangle is read
        matrix = conj(a) if assume_a in _SYMMETRIC[:2] else a
        return linalg.solve(matrix, g, lower=lower, assume_a=assume_a)
    _check(assume_a)
    return linalg.solve(conj(a) if transposed else adjoint_matrix(a), g)


def _check(assume_a: str | None) -> None:
    if assume_a not in (None, "gen", "general"):
        raise NotImplementedError(f"scipy.linalg.solve with assume_a={assume_a!r} has no rule")


def solved_left(b_bar: Any, x: Any, lower: bool, assume_a: str | None, transposed: bool) -> Any:
    """The adjoint of `a` when that of `b` is known, and `x = scipy.linalg.solve(a, b)`."""
    a_bar = -outer_columns(b_bar, x)
    if transposed:
        a_bar = np.swapaxes(a_bar, -1, -2)
    if assume_a in _SYMMETRIC:
        if assume_a not in _SYMMETRIC[:2]:
            return of_triangle(a_bar, lower)
        both = a_bar + np.swapaxes(a_bar, -1, -2)
        own = np.tril(both, -1) if lower else np.triu(both, 1)
        return np.where(np.eye(np.shape(a_bar)[-1], dtype=bool), a_bar, own)
    _check(assume_a)
    return a_bar


def triangular_right(g: Any, a: Any, trans: int | str, lower: bool, unit_diagonal: bool) -> Any:
    """The adjoint of `b` when `g` is that of `scipy.linalg.solve_triangular(a, b, ...)`."""
    if trans in (1, "T"):
        return conj(linalg.solve_triangular(a, conj(g), 0, lower, unit_diagonal))
    back = 2 if trans in (0, "N") else 0
    return linalg.solve_triangular(a, g, back, lower, unit_diagonal)


def triangular_left(b_bar: Any, x: Any, trans: int | str, lower: bool, unit_diagonal: bool) -> Any:
    """The adjoint of `a` when that of `b` is known, and `x` is the solution."""
    a_bar = -_turned(outer_columns(b_bar, x), trans)
    own = 1 if unit_diagonal else 0
    return np.tril(a_bar, -own) if lower else np.triu(a_bar, own)


def _turned(product: Any, trans: int | str) -> Any:
    """b_bar x^H of the system with `a`, with its transpose, or with its conjugate transpose."""
    if trans in (0, "N"):
        return product
    return np.swapaxes(product, -1, -2) if trans in (1, "T") else adjoint_matrix(product)


def banded_right(g: Any, bands: tuple[int, int], ab: Any) -> Any:
    """The adjoint of `b` when `g` is that of `scipy.linalg.solve_banded(bands, ab, b)`."""
    lower, upper = bands
    turned = np.zeros_like(ab)
    n = np.shape(ab)[-1]
    for k in range(-lower, upper + 1):  # diagonal k of the matrix is diagonal -k of its transpose
        count = n - abs(k)
        turned[..., lower + k, max(0, -k) : max(0, -k) + count] = conj(
            ab[..., upper - k, max(0, k) : max(0, k) + count]
        )
    return linalg.solve_banded((upper, lower), turned, g)


def banded_left(b_bar: Any, x: Any, bands: tuple[int, int], ab: Any) -> Any:
    """The adjoint of `ab` when that of `b` is known, and `x` is the solution."""
    lower, upper = bands
    rows = b_bar[:, None] if np.ndim(b_bar) == 1 else b_bar
    others = conj(x[:, None] if np.ndim(x) == 1 else x)
    each = [_band(rows, others, max(0, -k), max(0, k)) for k in range(upper, -lower - 1, -1)]
    return unbroadcast(_part_of(np.stack(each, -2), ab), like=ab)


def _band(rows: Any, others: Any, i: int, j: int) -> Any:
    """Minus the sums of products of rows from `i` and others from `j`; zeros before and after."""
    count = np.shape(rows)[-2] - i - j
    products = -np.sum(rows[..., i : i + count, :] * others[..., j : j + count, :], axis=-1)
    zeros = np.zeros_like(rows[..., 0] * others[..., 0])
    return np.concatenate([zeros[..., :j], products, zeros[..., :i]], axis=-1)


def _part_of(g: Any, like: Any) -> Any:
    return g if np.iscomplexobj(like) else np.real(g)


def cho_solve_left(b_bar: Any, x: Any, c: Any, lower: bool) -> Any:
    """The adjoint of the factor `c` when that of `b` is known, and `x` is the solution."""
    a_bar = -outer_columns(b_bar, x)
    both = unbroadcast(a_bar + adjoint_matrix(a_bar), like=c)
    return np.tril(both @ np.tril(c)) if lower else np.triu(np.triu(c) @ both)


def cho_factor_adjoint(g: Any, c: Any, a: Any, lower: bool) -> Any:
    """The adjoint of `a` when `g` is that of `scipy.linalg.cho_factor(a, lower)[0]`.

    In the other triangle SciPy leaves what `a` has there (before 1.18), or zeros.
    """
    if lower:
        result = cholesky_adjoint(np.tril(g), np.tril(c))
        left = np.array_equal(np.triu(c, 1), np.triu(a, 1))
        return result + np.triu(g, 1) if left else result
    lower_bar = cholesky_adjoint(adjoint_matrix(np.triu(g)), adjoint_matrix(np.triu(c)))
    result = adjoint_matrix(lower_bar)
    left = np.array_equal(np.tril(c, -1), np.tril(a, -1))
    return result + np.tril(g, -1) if left else result


def is_lower(flag: Any) -> bool:
    """The flag that `cho_factor` gives: for a stack one for each matrix, all the same."""
    return bool(np.ravel(flag)[0])


def row_order(piv: Any) -> Any:
    """The rows of `a` in the order of those of L U, from LAPACK's exchanges; of stacks, too."""
    n = np.shape(piv)[-1]
    order = np.broadcast_to(np.arange(n), np.shape(piv)).copy()
    for own, exchanges in zip(np.reshape(order, (-1, n)), np.reshape(piv, (-1, n))):
        for k, other in enumerate(exchanges):
            own[[k, other]] = own[[other, k]]
    return order


def lu_adjoint(l_bar: Any, u_bar: Any, lower: Any, upper: Any) -> Any:
    """The adjoint of the square matrix `lower @ upper` when those of its factors are known.

    Source: Walter and Lehmann, Algorithmic differentiation of linear algebra functions (2010).
    """
    if lower.shape[-2] != upper.shape[-1]:
        raise NotImplementedError("scipy.linalg.lu of a matrix that is not square has no rule")
    inner = np.zeros_like(lower)
    if l_bar is not None:
        inner = inner + np.tril(adjoint_matrix(lower) @ l_bar, -1)
    if u_bar is not None:
        inner = inner + np.triu(u_bar @ adjoint_matrix(upper))
    right = adjoint_matrix(linalg.solve_triangular(upper, adjoint_matrix(inner)))
    return linalg.solve_triangular(lower, right, "C", lower=True, unit_diagonal=True)


def permuted_lu_adjoint(l_bar: Any, u_bar: Any, lower: Any, upper: Any) -> Any:
    """The adjoint of `a = lower @ upper`, where the rows of `lower` are not in order.

    In row k of the lower triangle, the last element that is not 0 is the one on the diagonal.
    """
    rows = np.count_nonzero(np.cumsum(lower[..., ::-1] != 0, -1), -1) - 1
    order = np.argsort(rows, -1)[..., None]
    ordered_bar = None if l_bar is None else np.take_along_axis(l_bar, order, -2)
    ordered = lu_adjoint(ordered_bar, u_bar, np.take_along_axis(lower, order, -2), upper)
    return np.take_along_axis(ordered, rows[..., None], -2)


def lu_factor_adjoint(g: Any, lu: Any, piv: Any) -> Any:
    """The adjoint of `a` when `lu, piv = scipy.linalg.lu_factor(a)` and `g` is that of `lu`."""
    unit = np.tril(lu, -1) + np.eye(np.shape(lu)[-1], dtype=lu.dtype)
    ordered = lu_adjoint(np.tril(g, -1), np.triu(g), unit, np.triu(lu))
    return np.take_along_axis(ordered, np.argsort(row_order(piv), -1)[..., None], -2)


def lu_solve_right(g: Any, lu: Any, piv: Any, trans: int) -> Any:
    """The adjoint of `b` when `g` is that of `scipy.linalg.lu_solve((lu, piv), b, trans)`."""
    if trans == 1:
        return conj(linalg.lu_solve((lu, piv), conj(g)))
    return linalg.lu_solve((lu, piv), g, 2 if trans == 0 else 0)


def lu_solve_left(b_bar: Any, x: Any, lu: Any, piv: Any, trans: int) -> Any:
    """The adjoint of `lu` when that of `b` is known, and `x` is the solution."""
    whole = unbroadcast(-_turned(outer_columns(b_bar, x), trans), like=lu)
    a_bar = np.take_along_axis(whole, row_order(piv)[..., None], -2)
    unit = np.tril(lu, -1) + np.eye(np.shape(lu)[-1], dtype=lu.dtype)
    below = np.tril(a_bar @ adjoint_matrix(np.triu(lu)), -1)
    return below + np.triu(adjoint_matrix(unit) @ a_bar)


def hermitian_bands_left(b_bar: Any, x: Any, ab: Any, lower: bool) -> Any:
    """The adjoint of `ab` when that of `b` is known, and `x = solveh_banded(ab, b, lower)`.

    An element off the diagonal stands for two of the matrix.
    """
    rows = b_bar[:, None] if np.ndim(b_bar) == 1 else b_bar
    others = x[:, None] if np.ndim(x) == 1 else x
    count = np.shape(ab)[-2]
    order = range(count) if lower else range(count - 1, -1, -1)
    each = [_hermitian_band(rows, others, k, lower) for k in order]
    return unbroadcast(_part_of(np.stack(each, -2), ab), like=ab)


def _hermitian_band(rows: Any, others: Any, k: int, lower: bool) -> Any:
    """What the two diagonals number `k` contribute to what stands for both."""
    after, before = (k, 0) if lower else (0, k)
    n = np.shape(rows)[-2] - k
    above = -np.sum(rows[..., :n, :] * conj(others[..., k:, :]), axis=-1)  # element i, i + k
    below = -np.sum(rows[..., k:, :] * conj(others[..., :n, :]), axis=-1)
    both = below + conj(above) if lower else above + conj(below)
    total = np.real(above) if k == 0 else both
    zeros = np.zeros_like(rows[..., 0] * others[..., 0])
    return np.concatenate([zeros[..., :before], total, zeros[..., :after]], axis=-1)


registry.add_making(
    (
        *(outer_columns, solved_right, solved_left, triangular_right, triangular_left),
        *(banded_right, banded_left, cho_solve_left, cho_factor_adjoint, lu_adjoint),
        *(lu_factor_adjoint, lu_solve_right, lu_solve_left, permuted_lu_adjoint),
        hermitian_bands_left,
    )
)
registry.add_pure((columns, without_columns, is_lower))
nondifferentiable(row_order, is_lower)
registry.add_demanding([linalg.lu_solve, lu_solve_right])
registry.add_making([linalg.lu_solve, linalg.cho_solve, linalg.solve_banded, row_order])
