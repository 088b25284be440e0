"""Adjoints of matrix factorizations, given those of their factors; None stands for a zero adjoint.

The adjoint of values may be one number, if it is the same for all.

Factors are determined up to signs, phases and, for vectors of a null space, rotations. Signs do not
change along a path; a function that depends on the others has no derivative, and is an error.

Sources: Townsend, Differentiating the SVD (2016), and Wan and Zhang, Automatic differentiation for
complex valued SVD (2019); Walter and Lehmann, Algorithmic differentiation of linear algebra
functions (2010), and for wide matrices Roberts and Roberts, QR and LQ decomposition matrix
backpropagation algorithms (2020); Boeddeker et al., On the computation of complex-valued gradients
(2017) for eig.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.linalg import adjoint_matrix, of_triangle


def svdvals_adjoint(g: Any, a: Any) -> Any:
    """The adjoint of `a` when `g` is that of its singular values."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return (u * of_columns(g)) @ vh


def svd_adjoint(u_bar: Any, s_bar: Any, vh_bar: Any, u: Any, s: Any, vh: Any) -> Any:
    """The adjoint of `a` when `u, s, vh = np.linalg.svd(a)`, thin or full.

    Raises ValueError if the adjoints say that something depends on the phases of singular vectors,
    or on which basis of a null space was found.
    """
    k = s.shape[-1]
    if u_bar is None and vh_bar is None:
        return (u[..., :k] * of_columns(s_bar)) @ vh[..., :k, :]
    u, u_bar = _thin(u_bar, u, k)
    v, v_bar = _thin(None if vh_bar is None else adjoint_matrix(vh_bar), adjoint_matrix(vh), k)
    uu, vv = adjoint_matrix(u) @ u_bar, adjoint_matrix(v) @ v_bar
    above, below = s[..., None, :], s[..., :, None]
    equal = np.abs(above - below) <= tolerance(s)
    gap = np.where(equal, 0, 1 / np.where(equal, 1, (above - below) * (above + below)))
    gap = gap.astype(s.dtype)
    inner = gap * (uu - adjoint_matrix(uu)) * above + below * gap * (vv - adjoint_matrix(vv))
    inverse = np.where(s == 0, 0, 1 / np.where(s == 0, 1, s)).astype(s.dtype)
    if np.iscomplexobj(u):
        places = np.arange(k)
        phase, other = uu[..., places, places].imag, vv[..., places, places].imag
        scale = np.maximum(size_of_columns(u_bar), size_of_columns(v_bar))
        check_invariant(phase + other, scale, "the phases of singular vectors")
        inner = inner + _diagonal(0.5j * (phase - other) * inverse, k)
    if s_bar is not None:
        inner = inner + _diagonal(s_bar, k)
    vh = adjoint_matrix(v)
    result = u @ inner @ vh
    if u.shape[-2] > k:
        result = result + ((u_bar - u @ uu) * inverse[..., None, :]) @ vh
    if v.shape[-2] > k:
        result = result + (u * inverse[..., None, :]) @ adjoint_matrix(v_bar - v @ vv)
    return result


def of_columns(g: Any) -> Any:
    """The adjoints of the values of each matrix of a stack, one for each column."""
    return np.expand_dims(g, -2) if np.ndim(g) > 0 else g


def _diagonal(values: Any, n: int) -> Any:
    """A stack of diagonal matrices of `n` columns."""
    return np.where(np.eye(n, dtype=bool), of_columns(values), 0)


def _thin(bar: Any, full: Any, k: int) -> tuple[Any, Any]:
    """The first `k` columns of an orthogonal matrix, and their adjoint when `bar` is that of all.

    The other columns move only to stay orthogonal to the first.
    """
    first = full[..., :k]
    if bar is None:
        return first, np.zeros_like(first)
    if full.shape[-1] == k:
        return first, bar
    null, null_bar = full[..., k:], bar[..., k:]
    turned = adjoint_matrix(null) @ null_bar
    defect, scale = turned - adjoint_matrix(turned), size_of_columns(null_bar)
    check_invariant(defect, scale, "the basis found of a null space")
    return first, bar[..., :k] - null @ (adjoint_matrix(null_bar) @ first)


def size_of_columns(bar: Any) -> Any:
    """How large inner products of columns of length 1 with an adjoint may be."""
    return np.max(np.abs(bar), initial=0.0) * np.shape(bar)[-2]


def check_invariant(defect: Any, scale: Any, what: str) -> None:
    """Raise unless the defect is zero up to rounding of numbers of that size."""
    size = np.abs(defect)
    if np.any(size > np.sqrt(np.spacing(np.ones_like(size))) * scale):
        raise ValueError(
            f"the result depends on {what}, which the matrix does not determine: no derivative"
        )


def tolerance(values: Any) -> Any:
    """The distance below which eigenvalues or singular values of each matrix count as equal."""
    largest = np.maximum.reduce(np.abs(values), axis=-1, initial=0.0)
    return (8 * np.finfo(values.dtype).eps * largest)[..., None, None]


def qr_r_adjoint(g: Any, a: Any) -> Any:
    """The adjoint of `a` when `g` is that of the factor r alone, or of a tuple of that."""
    (g,) = g if isinstance(g, tuple) else (g,)
    q, r = np.linalg.qr(a)
    return qr_adjoint(None, g, q, r)


def qr_adjoint(q_bar: Any, r_bar: Any, q: Any, r: Any) -> Any:
    """The adjoint of `a` when `q, r = np.linalg.qr(a)`, reduced or complete, `a` of full rank.

    A wide matrix is taken apart: its first columns are factorized, the others are multiplied.
    Raises ValueError if the columns that complete q matter otherwise than by what they span.
    """
    if r.ndim < q.ndim:
        raise NotImplementedError("np.linalg.qr with mode='raw' has no derivative rule")
    k = min(q.shape[-2], r.shape[-1])
    q, q_bar = _thin(q_bar, q, k)
    r = r[..., :k, :]
    r_bar = np.zeros_like(r) if r_bar is None else r_bar[..., :k, :]
    if r.shape[-1] == k:
        return _square_qr_adjoint(q_bar, r_bar, q, r)
    rest = q @ r[..., k:]
    q_bar = q_bar + rest @ adjoint_matrix(r_bar[..., k:])
    first = _square_qr_adjoint(q_bar, r_bar[..., :k], q, r[..., :k])
    return np.concatenate([first, q @ r_bar[..., k:]], axis=-1)


def _square_qr_adjoint(q_bar: Any, r_bar: Any, q: Any, r: Any) -> Any:
    """The adjoint of `a` when `q, r = np.linalg.qr(a)`, and r is square."""
    m = r @ adjoint_matrix(r_bar) - adjoint_matrix(q_bar) @ q
    lower = np.tril(m, -1)
    places = np.arange(r.shape[-1])
    symmetric = lower + adjoint_matrix(lower)
    symmetric[..., places, places] = m[..., places, places].real
    right = adjoint_matrix(q_bar + q @ symmetric)
    return adjoint_matrix(np.linalg.solve(r, right))


def eigvals_adjoint(g: Any, a: Any) -> Any:
    """The adjoint of `a` when `g` is that of its eigenvalues."""
    w, v = np.linalg.eig(a)
    return eig_adjoint(g, None, w, v, np.isrealobj(a))


def eig_adjoint(w_bar: Any, v_bar: Any, w: Any, v: Any, real: bool = False) -> Any:
    """The adjoint of `a` when `w, v = np.linalg.eig(a)`, the columns of `v` of length 1.

    real: `a` is, so that the eigenvectors of real eigenvalues stay real.

    Eigenvectors of equal eigenvalues contribute nothing to each other. Raises ValueError if the
    adjoints say that something depends on the phases of complex eigenvectors.
    """
    inner = np.zeros(v.shape, v.dtype if w_bar is None else np.result_type(v, w_bar))
    vh = adjoint_matrix(v)
    k = np.arange(v.shape[-1])
    if v_bar is not None:
        gap = np.conj(w[..., None, :] - w[..., :, None])
        equal = np.abs(gap) <= tolerance(w)
        back = vh @ v_bar
        along = back[..., k, k]
        if np.iscomplexobj(v):
            turned = np.where(np.imag(w) == 0, 0, np.imag(along)) if real else np.imag(along)
            check_invariant(turned, size_of_columns(v_bar), "the phases of eigenvectors")
        back = back - vh @ v * np.real(along)[..., None, :]
        inner = inner + np.where(equal, 0, back / np.where(equal, 1, gap))
    if w_bar is not None:
        inner = inner + _diagonal(w_bar, v.shape[-1])
    result = np.linalg.solve(vh, inner @ vh)
    return np.real(result) if real else result


def eigh_adjoint(w_bar: Any, v_bar: Any, w: Any, v: Any) -> Any:
    """The adjoint of the lower triangle of `a` when `w, v = np.linalg.eigh(a)`.

    Eigenvectors of equal eigenvalues contribute nothing to each other. Raises ValueError if the
    adjoints say that something depends on the phases of complex eigenvectors.
    """
    if v_bar is None:
        return of_triangle((v * of_columns(w_bar)) @ adjoint_matrix(v))
    gap = w[..., None, :] - w[..., :, None]
    vh = adjoint_matrix(v)
    back = vh @ v_bar
    if np.iscomplexobj(v):
        k = np.arange(v.shape[-1])
        scale = size_of_columns(v_bar)
        check_invariant(back[..., k, k].imag, scale, "the phases of eigenvectors")
    left = v @ (back / np.where(np.abs(gap) <= tolerance(w), np.inf, gap))
    if w_bar is not None:
        left = left + v * of_columns(w_bar)
    return of_triangle(left @ vh)


def lstsq_adjoint(
    x_bar: Any, residuals_bar: Any, s_bar: Any, a: Any, b: Any, x: Any, rank: int
) -> tuple[Any, Any]:
    """The adjoints of `a` and `b` when `x, residuals, rank, s = np.linalg.lstsq(a, b)`.

    At constant rank: `x = pinv(a) @ b`, see `pinv_adjoint`. The residual is least at `x`, which
    therefore does not move it.
    """
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    a_bar = np.zeros_like(u @ vh)
    columns = b[:, None] if b.ndim == 1 else b
    solution = x[:, None] if b.ndim == 1 else x
    b_bar = np.zeros(columns.shape, np.result_type(a_bar, b))
    rest = columns - a @ solution
    if x_bar is not None:
        g = x_bar[:, None] if b.ndim == 1 else x_bar
        left, right, size = u[:, :rank], adjoint_matrix(vh[:rank]), s[:rank, None]
        coordinates = adjoint_matrix(right) @ g
        b_bar = b_bar + left @ (coordinates / size)
        a_bar = a_bar - b_bar @ adjoint_matrix(solution)
        a_bar = a_bar + rest @ adjoint_matrix(right @ (coordinates / size**2))
        outside = g - right @ coordinates
        y = left @ ((adjoint_matrix(right) @ solution) / size)
        a_bar = a_bar + y @ adjoint_matrix(outside)
    if residuals_bar is not None and residuals_bar.size:
        weighted = 2 * np.reshape(np.real(residuals_bar), (-1,)) * rest
        b_bar = b_bar + weighted
        a_bar = a_bar - weighted @ adjoint_matrix(solution)
    if s_bar is not None:
        a_bar = a_bar + (u * s_bar) @ vh
    return a_bar, b_bar[:, 0] if b.ndim == 1 else b_bar
