"""Adjoints of scipy.linalg that generated code calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import linalg

from autodiff.rules import nondifferentiable, registry
from autodiff.runtime import (
    adjoint_matrix,
    cholesky_adjoint,
    conj,
    hermitian,
    qr_adjoint,
    unbroadcast,
)
from autodiff.runtime.broadcasting import fit

_SYMMETRIC = ("sym", "symmetric", "her", "hermitian", "pos", "positive definite")


def _one(a: Any, function: str) -> None:
    """Refuse stacks where a function treats each of its elements by itself."""
    if np.ndim(a) > 2:
        raise NotImplementedError(f"scipy.linalg.{function} of a stack has no derivative rule")


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


def solved_right(g: Any, a: Any, transposed: bool) -> Any:
    """The adjoint of `b` when `g` is that of `scipy.linalg.solve(a, b, transposed=transposed)`."""
    return linalg.solve(conj(a) if transposed else adjoint_matrix(a), g)


def solved_left(b_bar: Any, x: Any, assume_a: str | None, transposed: bool) -> Any:
    """The adjoint of `a` when that of `b` is known, and `x = scipy.linalg.solve(a, b)`."""
    a_bar = -outer_columns(b_bar, x)
    if transposed:
        a_bar = np.swapaxes(a_bar, -1, -2)
    if assume_a in _SYMMETRIC:
        symmetric = assume_a in ("sym", "symmetric")
        return (a_bar + np.swapaxes(a_bar, -1, -2)) / 2 if symmetric else hermitian(a_bar)
    if assume_a not in (None, "gen", "general"):
        raise NotImplementedError(f"scipy.linalg.solve with assume_a={assume_a!r} has no rule")
    return a_bar


def triangular_right(
    g: Any, a: Any, trans: int | str, lower: bool, unit_diagonal: bool
) -> Any:
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
    each = [
        _band(rows, others, max(0, -k), max(0, k)) for k in range(upper, -lower - 1, -1)
    ]
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
    """The symmetric adjoint of `a` when `g` is that of `scipy.linalg.cho_factor(a, lower)[0]`.

    In the other triangle SciPy leaves what `a` has there (before 1.18), or zeros.
    """
    if lower:
        result = cholesky_adjoint(np.tril(g), np.tril(c))
        left = np.array_equal(np.triu(c, 1), np.triu(a, 1))
        return result + hermitian(np.triu(g, 1)) if left else result
    result = cholesky_adjoint(adjoint_matrix(np.triu(g)), adjoint_matrix(np.triu(c)))
    left = np.array_equal(np.tril(c, -1), np.tril(a, -1))
    return result + hermitian(np.tril(g, -1)) if left else result


def is_lower(flag: Any) -> bool:
    """The flag that `cho_factor` gives: for a stack one for each matrix, all the same."""
    return bool(np.ravel(flag)[0])


def row_order(piv: Any) -> Any:
    """The rows of `a` in the order of those of L U, from LAPACK's exchanges; for each of a stack.
    """
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


def generalized_b_adjoint(w_bar: Any, v_bar: Any, w: Any, v: Any) -> Any:
    """The symmetric adjoint of `b` when `w, v = scipy.linalg.eigh(a, b)`."""
    k = np.arange(len(w))
    inner = np.zeros_like(v)
    if v_bar is not None:
        back = adjoint_matrix(v) @ v_bar
        gap = w[None, :] - w[:, None]
        equal = np.abs(gap) <= 8 * np.finfo(gap.dtype).eps * np.max(np.abs(w), initial=0.0)
        inner = np.where(equal, 0, back / np.where(equal, 1, gap)) * w
        inner[k, k] += back[k, k] / 2
    if w_bar is not None:
        inner[k, k] += w_bar * w
    return -hermitian(v @ inner @ adjoint_matrix(v))


def frechet_adjoint(function: Callable[..., Any], a: Any, g: Any, *arguments: Any) -> Any:
    """The adjoint of `a` when `g` is that of a matrix function of it.

    That is L(g^H)^H, where L(e) is the derivative of the function along e. At `a` itself and not at
    a^H: for eigenvalues on a branch cut, the function of a^H is another matrix.
    """
    if np.isrealobj(a) and np.iscomplexobj(g):  # real matrices stay exactly on the cut
        real = matrix_slope(function, a, adjoint_matrix(np.real(g)), *arguments)
        imaginary = matrix_slope(function, a, adjoint_matrix(np.imag(g)), *arguments)
        return adjoint_matrix(real) + 1j * adjoint_matrix(imaginary)
    return adjoint_matrix(matrix_slope(function, a, adjoint_matrix(g), *arguments))


def sylvester(a: Any, b: Any, q: Any) -> Any:
    """The solution of a x + x b = q, also for real `a` and `b` and complex `q`.

    SciPy takes real Schur forms for those, and goes on as if they were complex ones.
    """
    dtype = np.result_type(a, b, q)
    return linalg.solve_sylvester(np.asarray(a, dtype), np.asarray(b, dtype), np.asarray(q, dtype))


def matrix_slope(function: Callable[..., Any], a: Any, e: Any, *arguments: Any) -> Any:
    """The derivative of a matrix function at `a` along `e`.

    The function of the block matrix [[a, e], [0, a]] holds it in its upper right corner.
    Source: Mathias, A chain rule for matrix functions and applications (1996).
    """
    n = np.shape(a)[-1]
    block = np.block([[a, e], [np.zeros_like(a), a]])
    wide = np.asarray(block, np.result_type(block, np.float64))  # it is hardly ever normal
    value = function(wide) if len(arguments) == 0 else function(wide, arguments[0])
    dtype = np.result_type(a, e, np.complex64) if np.iscomplexobj(value) else np.result_type(a, e)
    return np.asarray(value[..., :n, n:], dtype)


def toeplitz_column_adjoint(g: Any, c: Any, r: Any) -> Any:
    """The adjoint of `c` when `g` is that of `scipy.linalg.toeplitz(c, r)`."""
    _one(g, "toeplitz")
    below = diagonal_sums(g, 0, -np.size(c))
    if r is None and np.size(c) > 1:
        above = conj(diagonal_sums(g, 1, np.size(c)))
        below = np.concatenate([below[:1], below[1:] + above])
    return np.reshape(below, np.shape(c))


def toeplitz_row_adjoint(g: Any, r: Any) -> Any:
    """The adjoint of `r` when `g` is that of `scipy.linalg.toeplitz(c, r)`; its first is not used.
    """
    _one(g, "toeplitz")
    above = [0.0, *(np.trace(g, k) for k in range(1, np.size(r)))]
    return np.reshape(np.array(above, g.dtype), np.shape(r))


def diagonal_sums(g: Any, first: int, count: int) -> Any:
    """The sums of `count` diagonals of a matrix from number `first`, upwards or, below 0, down."""
    steps = range(abs(count) - first)
    return np.array([np.trace(g, first + k if count > 0 else first - k) for k in steps])


def circulant_adjoint(g: Any) -> Any:
    """The adjoint of `c` when `g` is that of `scipy.linalg.circulant(c)`."""
    _one(g, "circulant")
    n = len(g)
    return np.array([np.trace(g, -k) + np.trace(g, n - k) for k in range(n)])


def block_diag_adjoint(g: Any, arrays: Any) -> list[Any]:
    """The adjoints of the arrays when `g` is that of `scipy.linalg.block_diag(*arrays)`."""
    found, row, column = [], 0, 0
    for array in arrays:
        shape = np.shape(np.atleast_2d(array))
        rows, width = shape[-2:]
        part = g[..., row : row + rows, column : column + width]
        found.append(np.reshape(fit(part, shape), np.shape(array)))
        row, column = row + rows, column + width
    return found


registry.add_pure(
    [
        *(outer_columns, solved_right, solved_left, triangular_right, triangular_left),
        *(banded_right, banded_left, cho_solve_left, cho_factor_adjoint, lu_adjoint),
        *(lu_factor_adjoint, lu_solve_right, lu_solve_left, generalized_b_adjoint),
        *(frechet_adjoint, matrix_slope, sylvester, toeplitz_column_adjoint),
        *(toeplitz_row_adjoint, circulant_adjoint),
        *(block_diag_adjoint, columns, without_columns, is_lower),
    ]
)
nondifferentiable(row_order, is_lower)
registry.add_demanding([linalg.lu_solve, lu_solve_right])
registry.add_demanding([linalg.lstsq])  # the dtype of the residues depends on the rank


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


def toeplitz_right(g: Any, c_or_cr: Any) -> Any:
    """The adjoint of `b` when `g` is that of `scipy.linalg.solve_toeplitz(c_or_cr, b)`."""
    c, r = c_or_cr if isinstance(c_or_cr, tuple) else (c_or_cr, conj(c_or_cr))
    row = np.concatenate([np.ravel(c)[:1], np.ravel(r)[1:]])
    return linalg.solve_toeplitz((conj(row), conj(np.ravel(c))), g)


def circulant_right(g: Any, c: Any) -> Any:
    """The adjoint of `b` when `g` is that of `scipy.linalg.solve_circulant(c, b)`."""
    return linalg.solve_circulant(conj(np.roll(c[::-1], 1)), g)


def hankel_adjoint(g: Any, vector: Any, first: int) -> Any:
    """The sums of the antidiagonals of `g` from number `first`, one for each of `vector`."""
    mirrored = g[:, ::-1]
    width = g.shape[1]
    sums = [np.trace(mirrored, width - 1 - first - k) for k in range(np.size(vector))]
    return np.reshape(np.array(sums, g.dtype), np.shape(vector))


def hankel_row_adjoint(g: Any, c: Any, r: Any) -> Any:
    """The adjoint of `r` when `g` is that of `scipy.linalg.hankel(c, r)`; its first is not used."""
    result = hankel_adjoint(g, r, np.size(c) - 1)
    result.flat[0] = 0
    return result


def convolution_matrix_adjoint(g: Any, a: Any, n: int, mode: str) -> Any:
    """The adjoint of `a` when `g` is that of `scipy.linalg.convolution_matrix(a, n, mode)`."""
    m = len(a)
    starts = {"full": 0, "valid": min(m, n) - 1, "same": (min(m, n) - 1) // 2}
    whole = np.zeros((m + n - 1, n), g.dtype)
    whole[starts[mode] : starts[mode] + len(g)] = g
    return np.sum([whole[k : k + m, k] for k in range(n)], axis=0)


registry.add_pure(
    [
        *(convolution_matrix_adjoint, hermitian_bands_left, toeplitz_right, circulant_right),
        *(hankel_adjoint, hankel_row_adjoint),
    ]
)


def expm_frechet_adjoint(value_bar: Any, slope_bar: Any, a: Any, e: Any) -> tuple[Any, Any]:
    """The adjoints of both arguments when `value, slope = scipy.linalg.expm_frechet(a, e)`."""
    n = len(a)
    zeros = np.zeros_like(a)
    block = np.block([[a, e], [zeros, a]])
    bar = frechet_adjoint(linalg.expm, block, np.block([[value_bar, slope_bar], [zeros, zeros]]))
    return bar[:n, :n] + bar[n:, n:], bar[:n, n:]


def qr_multiply_adjoint(product_bar: Any, r_bar: Any, a: Any, c: Any, mode: str) -> tuple[Any, Any]:
    """The adjoints of both arguments when `product, r = scipy.linalg.qr_multiply(a, c, mode)`."""
    q, r = np.linalg.qr(a)
    if mode == "left":
        q_bar = outer_columns(product_bar, c)
        c_bar = adjoint_matrix(q) @ product_bar
    else:
        rows = np.reshape(c, (-1, len(q)))
        q_bar = adjoint_matrix(rows) @ np.reshape(product_bar, (len(rows), -1))
        c_bar = product_bar @ adjoint_matrix(q)
    return qr_adjoint(q_bar, r_bar, q, r), c_bar


def fiedler_companion_adjoint(g: Any, a: Any) -> Any:
    """The adjoint of `a` when `g` is that of `scipy.linalg.fiedler_companion(a)`.

    The function itself says where the coefficients stand: with a minus, divided by the first.
    """
    n = len(a)
    places = -linalg.fiedler_companion(np.arange(1.0, n + 1)).astype(int) - 1
    monic = a / a[0]
    monic_bar = np.zeros(n, np.result_type(g, a))
    monic_bar[places[places > 0]] = -g[places > 0]
    a_bar = monic_bar / conj(a[0])
    a_bar[0] = -np.sum(monic_bar[1:] * conj(monic[1:])) / conj(a[0])
    return a_bar


registry.add_pure([expm_frechet_adjoint, qr_multiply_adjoint, fiedler_companion_adjoint])
