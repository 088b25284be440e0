"""Adjoints of decompositions with unitary factors: polar, Schur, Hessenberg.

With a = z t z^H and a skew-Hermitian w = z^H dz it is z^H da z = dt + w t - t w. Where t has to be
zero that equation says what w is; what is above follows. The adjoints run the same recursions back.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from autodiff.templates.scipy.linalg.helpers import sylvester
from scipy import linalg

from autodiff.rules import registry
from autodiff.runtime import adjoint_matrix, qr_adjoint
from autodiff.runtime.factorizations import check_invariant, size_of_columns, tolerance


def polar_adjoint(u_bar: Any, p_bar: Any, u: Any, p: Any, side: str) -> Any:
    """The adjoint of `a` when `u, p = scipy.linalg.polar(a, side)`, of full rank.

    With u^H u = 1 and the skew-Hermitian w = u^H du it is w p + p w = u^H da - da^H u, and
    dp = u^H da - w p.
    """
    if u.ndim != 2:
        raise NotImplementedError("scipy.linalg.polar of a stack has no derivative rule")
    if side == "right":
        return _right_polar_adjoint(u_bar, p_bar, u, p)
    turned = _right_polar_adjoint(adjoint_matrix(u_bar), p_bar, adjoint_matrix(u), p)
    return adjoint_matrix(turned)


def _right_polar_adjoint(u_bar: Any, p_bar: Any, u: Any, p: Any) -> Any:
    """The same where `a = u @ p`."""
    if u.shape[0] < u.shape[1]:
        raise NotImplementedError(
            "scipy.linalg.polar has a derivative rule where p is regular: for a wide matrix with "
            'side="left", for a tall one with side="right"'
        )
    uh = adjoint_matrix(u)
    k = sylvester(p, p, uh @ u_bar - p_bar @ p)
    outside = u_bar - u @ (uh @ u_bar)
    return u @ (k - adjoint_matrix(k) + p_bar) + adjoint_matrix(
        np.linalg.solve(p, adjoint_matrix(outside))
    )


def schur_adjoint(t_bar: Any, z_bar: Any, t: Any, z: Any) -> Any:
    """The adjoint of `a` when `t, z = scipy.linalg.schur(a)`, with distinct eigenvalues.

    Raises NotImplementedError for a real form with pairs of complex eigenvalues, and ValueError if
    eigenvalues are equal or the adjoints say that something depends on the phases of `z`.
    """
    if t.ndim != 2:
        raise NotImplementedError("scipy.linalg.schur of a stack has no derivative rule")
    if np.any(np.tril(t, -1)):
        raise NotImplementedError(
            "the real Schur form with complex eigenvalues has no derivative rule; "
            'use output="complex"'
        )
    n = len(t)
    gaps = np.abs(np.diag(t)[:, None] - np.diag(t))
    if np.any((gaps <= tolerance(np.diag(t))) & ~np.eye(n, dtype=bool)):
        raise ValueError("the Schur form has no derivative where eigenvalues are equal")
    zh, th = adjoint_matrix(z), adjoint_matrix(t)
    x_bar = np.triu(t_bar)
    w_bar = zh @ z_bar - x_bar @ th + th @ x_bar
    _check_phases(w_bar, np.maximum(size_of_columns(t_bar), size_of_columns(z_bar)))
    below = np.tril(w_bar - adjoint_matrix(w_bar), -1)
    x_bar = x_bar + np.zeros_like(below)
    for j in range(n - 2, -1, -1):
        rest = slice(j + 1, n)
        system = t[j, j] * np.eye(n - j - 1) - t[rest, rest]
        x_bar[rest, j] = np.linalg.solve(adjoint_matrix(system), below[rest, j])
        below[rest, :j] -= np.outer(x_bar[rest, j], np.conj(t[:j, j]))
    return z @ x_bar @ zh


def _check_phases(w_bar: Any, scale: Any) -> None:
    if np.iscomplexobj(w_bar):
        check_invariant(np.diag(w_bar).imag, scale, "the phases of Schur vectors")


def hessenberg_adjoint(h_bar: Any, q_bar: Any, a: Any) -> Any:
    """The adjoint of a real `a` when `h, q = scipy.linalg.hessenberg(a, calc_q=True)`.

    The first column of `q` is fixed, and the others follow as long as no element below the diagonal
    of `h` is zero (the implicit Q theorem; Golub and Van Loan, Matrix Computations, 7.4.5).
    """
    if np.iscomplexobj(a):
        raise TypeError("scipy.linalg.hessenberg has a derivative rule for real matrices only")
    if np.ndim(a) != 2:
        raise NotImplementedError("scipy.linalg.hessenberg of a stack has no derivative rule")
    h, q = linalg.hessenberg(a, calc_q=True)
    n = len(h)
    if np.any(np.abs(np.diag(h, -1)) <= tolerance(h)[..., 0]):
        raise ValueError("the Hessenberg form has no derivative where it falls apart")
    x_bar = np.triu(h_bar, -1)
    w_bar = q.T @ q_bar - x_bar @ h.T + h.T @ x_bar
    below = np.tril(w_bar - w_bar.T, -1)
    for j in range(n - 3, -1, -1):  # w[i, j + 1] = (x - w h + h w)[i, j] / h[j + 1, j]
        rest = slice(j + 2, n)
        each = below[rest, j + 1] / h[j + 1, j]
        x_bar[rest, j] += each
        row_bar = np.zeros((n, n))
        row_bar[rest, : j + 1] -= np.outer(each, h[: j + 1, j])
        row_bar[:, j] += each @ h[rest]
        below += np.tril(row_bar - row_bar.T, -1)
    return q @ x_bar @ q.T


def rq_adjoint(r_bar: Any, q_bar: Any, r: Any, q: Any) -> Any:
    """The adjoint of `a` when `r, q = scipy.linalg.rq(a)`, full or economic, of full rank.

    The conjugate transpose of `a` with its columns in reverse is q^H r^H, both in reverse: a
    unitary matrix and an upper triangle.
    """
    left = None if q_bar is None else adjoint_matrix(q_bar)[..., ::-1]
    right = None if r_bar is None else adjoint_matrix(r_bar)[..., ::-1, ::-1]
    unitary, upper = adjoint_matrix(q)[..., ::-1], adjoint_matrix(r)[..., ::-1, ::-1]
    return adjoint_matrix(qr_adjoint(left, right, unitary, upper)[..., ::-1])


def rq_r_adjoint(g: Any, a: Any) -> Any:
    """The adjoint of `a` when `g` is that of the factor r alone."""
    r, q = linalg.rq(a)
    return rq_adjoint(g, None, r, q)


registry.add_making([polar_adjoint, schur_adjoint, hessenberg_adjoint, rq_adjoint, rq_r_adjoint])
