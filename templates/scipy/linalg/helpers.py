"""Adjoints of scipy.linalg that generated code calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from autodiff.templates.scipy.linalg.systems import outer_columns
from scipy import linalg

from autodiff.rules import d, linear, registry
from autodiff.runtime import adjoint_matrix, conj, of_triangle, qr_adjoint
from autodiff.runtime.broadcasting import fit
from autodiff.runtime.factorizations import tolerance


def _one(a: Any, function: str) -> None:
    """Refuse stacks where a function treats each of its elements by itself."""
    if np.ndim(a) > 2:
        raise NotImplementedError(f"scipy.linalg.{function} of a stack has no derivative rule")


def generalized_b_adjoint(w_bar: Any, v_bar: Any, w: Any, v: Any) -> Any:
    """The adjoint of the lower triangle of `b` when `w, v = scipy.linalg.eigh(a, b)`."""
    own = np.eye(len(w), dtype=bool)
    inner = np.zeros_like(v)
    if v_bar is not None:
        back = adjoint_matrix(v) @ v_bar
        gap = w[None, :] - w[:, None]
        equal = np.abs(gap) <= tolerance(w)
        inner = back / np.where(equal, np.inf, gap) * w + np.where(own, back / 2, 0)
    if w_bar is not None:
        inner = inner + np.where(own, w_bar * w, 0)
    return -of_triangle(v @ inner @ adjoint_matrix(v))


def frechet_adjoint(function: Callable[..., Any], a: Any, g: Any, argument: Any = None) -> Any:
    """The adjoint of `a` when `g` is that of a matrix function of it.

    That is L(g^H)^H, where L(e) is the derivative of the function along e. At `a` itself and not at
    a^H: for eigenvalues on a branch cut, the function of a^H is another matrix.
    """
    if np.isrealobj(a) and np.iscomplexobj(g):  # real matrices stay exactly on the cut
        real = matrix_slope(function, a, adjoint_matrix(np.real(g)), argument)
        imaginary = matrix_slope(function, a, adjoint_matrix(np.imag(g)), argument)
        return adjoint_matrix(real) + 1j * adjoint_matrix(imaginary)
    return adjoint_matrix(matrix_slope(function, a, adjoint_matrix(g), argument))


def sylvester(a: Any, b: Any, q: Any) -> Any:
    """The solution of a x + x b = q, also for real `a` and `b` and complex `q`.

    SciPy takes real Schur forms for those, and goes on as if they were complex ones.
    """
    dtype = np.result_type(a, b, q)
    return linalg.solve_sylvester(np.asarray(a, dtype), np.asarray(b, dtype), np.asarray(q, dtype))


def matrix_slope(function: Callable[..., Any], a: Any, e: Any, argument: Any = None) -> Any:
    """The derivative of a matrix function at `a` along `e`.

    The function of the block matrix [[a, e], [0, a]] holds it in its upper right corner.
    Source: Mathias, A chain rule for matrix functions and applications (1996).
    """
    n = np.shape(a)[-1]
    block = np.block([[a, e], [np.zeros_like(a), a]])
    wide = np.asarray(block, np.result_type(block, np.float64))  # it is hardly ever normal
    value = function(wide) if argument is None else function(wide, argument)
    corner = value[..., :n, n:]
    if np.iscomplexobj(value):
        return np.asarray(corner, np.result_type(a, e, np.complex64))
    return np.asarray(corner, np.result_type(a, e))


def toeplitz_column_adjoint(g: Any, c: Any, r: Any) -> Any:
    """The adjoint of `c` when `g` is that of `scipy.linalg.toeplitz(c, r)`."""
    _one(g, "toeplitz")
    below = diagonal_sums(g, 0, -np.size(c))
    if r is None and np.size(c) > 1:
        above = conj(diagonal_sums(g, 1, np.size(c)))
        below = np.concatenate([below[:1], below[1:] + above])
    return np.reshape(below, np.shape(c))


def toeplitz_row_adjoint(g: Any, r: Any) -> Any:
    """The adjoint of `r` when `g` is that of `scipy.linalg.toeplitz(c, r)`; its first is unused."""
    _one(g, "toeplitz")
    first = np.zeros_like(np.ravel(r)[:1])
    if np.size(r) > 1:
        first = np.concatenate([first.astype(g.dtype), diagonal_sums(g, 1, np.size(r))])
    return np.reshape(first, np.shape(r))


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


registry.add_making(
    [
        *(generalized_b_adjoint, frechet_adjoint, matrix_slope, sylvester),
        *(toeplitz_column_adjoint, toeplitz_row_adjoint, circulant_adjoint),
    ]
)
registry.add_pure([block_diag_adjoint])


@linear(block_diag_adjoint)
def block_diag_again(found, g, arrays):
    d[g] = linalg.block_diag(*d[found])
    d[arrays] = 0.0


registry.add_demanding(  # the dtype of the residues depends on the rank
    [linalg.lstsq], (np.ndarray, np.ndarray, int, np.ndarray)
)


def toeplitz_right(g: Any, c_or_cr: Any) -> Any:
    """The adjoint of `b` when `g` is that of `scipy.linalg.solve_toeplitz(c_or_cr, b)`."""
    c, r = c_or_cr if isinstance(c_or_cr, tuple) else (c_or_cr, conj(c_or_cr))
    if np.ndim(g) > 2 or np.size(c) != np.shape(g)[0]:
        raise NotImplementedError("scipy.linalg.solve_toeplitz of stacks has no derivative rule")
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
    sums = np.ravel(hankel_adjoint(g, r, np.size(c) - 1))
    return np.reshape(np.concatenate([np.zeros_like(sums[:1]), sums[1:]]), np.shape(r))


def convolution_matrix_adjoint(g: Any, a: Any, n: int, mode: str) -> Any:
    """The adjoint of `a` when `g` is that of `scipy.linalg.convolution_matrix(a, n, mode)`."""
    m = len(a)
    starts = {"full": 0, "valid": min(m, n) - 1, "same": (min(m, n) - 1) // 2}
    whole = np.zeros((m + n - 1, n), g.dtype)
    whole[starts[mode] : starts[mode] + len(g)] = g
    return np.sum([whole[k : k + m, k] for k in range(n)], axis=0)


registry.add_making(
    [
        *(convolution_matrix_adjoint, toeplitz_right, circulant_right),
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
    placed = np.zeros((n - 1, n - 1))
    placed[...] = linalg.fiedler_companion(np.arange(1.0, n + 1))
    places = -placed.astype(int) - 1
    monic = a / a[0]
    monic_bar = np.zeros(n, np.result_type(g, a))
    monic_bar[places[places > 0]] = -g[places > 0]
    a_bar = monic_bar / conj(a[0])
    a_bar[0] = -np.sum(monic_bar[1:] * conj(monic[1:])) / conj(a[0])
    return a_bar


registry.add_pure([expm_frechet_adjoint, qr_multiply_adjoint])
registry.add_making([fiedler_companion_adjoint])
