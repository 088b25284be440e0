"""Adjoints of matrix factorizations, given those of their factors; None stands for a zero adjoint.

Sources: Townsend, Differentiating the SVD (2016); Walter and Lehmann, Algorithmic differentiation
of linear algebra functions (2010) for QR; Boeddeker et al., On the computation of complex-valued
gradients (2017) for eig.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.linalg import adjoint_matrix


def svdvals_adjoint(g: Any, a: Any) -> Any:
    """The adjoint of `a` when `g` is that of its singular values."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return (u * g[..., None, :]) @ vh


def svd_adjoint(u_bar: Any, s_bar: Any, vh_bar: Any, u: Any, s: Any, vh: Any) -> Any:
    """The adjoint of `a` when `u, s, vh = np.linalg.svd(a)`, for real `a`.

    Columns of full factors that belong to no singular value are not determined by `a`: their
    adjoints must be zero.
    """
    k = s.shape[-1]
    u_bar = np.zeros_like(u) if u_bar is None else u_bar
    vh_bar = np.zeros_like(vh) if vh_bar is None else vh_bar
    if np.any(u_bar[..., k:]) or np.any(vh_bar[..., k:, :]):
        raise ValueError("svd: null-space vectors have no derivative; pass full_matrices=False")
    if np.iscomplexobj(u) and (np.any(u_bar) or np.any(vh_bar)):
        raise NotImplementedError("the singular vectors of a complex matrix have no rule")
    u, u_bar = u[..., :k], u_bar[..., :k]
    v, v_bar = adjoint_matrix(vh[..., :k, :]), adjoint_matrix(vh_bar[..., :k, :])
    squares = s[..., None, :] ** 2 - s[..., :, None] ** 2
    equal = np.abs(squares) <= 8 * np.finfo(s.dtype).eps * np.max(s, initial=0.0) ** 2
    gap = np.where(equal, 0.0, 1 / np.where(equal, 1.0, squares)).astype(s.dtype)
    uu, vv = adjoint_matrix(u) @ u_bar, adjoint_matrix(v) @ v_bar
    inner = gap * (uu - adjoint_matrix(uu)) * s[..., None, :]
    inner = inner + s[..., :, None] * gap * (vv - adjoint_matrix(vv))
    if s_bar is not None:
        places = np.arange(k)
        inner[..., places, places] += s_bar
    inverse = np.where(s == 0, 0.0, 1 / np.where(s == 0, 1.0, s)).astype(s.dtype)
    result = u @ inner @ adjoint_matrix(v)
    result = result + ((u_bar - u @ uu) * inverse[..., None, :]) @ adjoint_matrix(v)
    return result + (u * inverse[..., None, :]) @ adjoint_matrix(v_bar - v @ vv)


def qr_r_adjoint(g: Any, a: Any) -> Any:
    """The adjoint of `a` when `g` is that of the factor r alone."""
    q, r = np.linalg.qr(a)
    return qr_adjoint(None, g, q, r)


def qr_adjoint(q_bar: Any, r_bar: Any, q: Any, r: Any) -> Any:
    """The adjoint of `a` when `q, r = np.linalg.qr(a)`, `a` of full rank.

    A wide matrix is taken apart: its first columns are factorized, the others are multiplied.
    """
    q_bar = np.zeros_like(q) if q_bar is None else q_bar
    r_bar = np.zeros_like(r) if r_bar is None else r_bar
    n = q.shape[-1]
    if r.shape[-1] > n:
        rest = q @ r[..., n:]
        q_bar = q_bar + rest @ adjoint_matrix(r_bar[..., n:])
        first = qr_adjoint(q_bar, r_bar[..., :n], q, r[..., :n])
        return np.concatenate([first, q @ r_bar[..., n:]], axis=-1)
    if q.shape[-1] > r.shape[-1] or r.shape[-2] > r.shape[-1]:
        raise NotImplementedError("np.linalg.qr with mode='complete' of a tall matrix has no rule")
    m = r @ adjoint_matrix(r_bar) - adjoint_matrix(q_bar) @ q
    lower = np.tril(m, -1)
    k = np.arange(n)
    symmetric = lower + adjoint_matrix(lower)
    symmetric[..., k, k] = m[..., k, k].real
    right = adjoint_matrix(q_bar + q @ symmetric)
    return adjoint_matrix(np.linalg.solve(r, right))


def eigvals_adjoint(g: Any, a: Any) -> Any:
    """The adjoint of `a` when `g` is that of its eigenvalues."""
    w, v = np.linalg.eig(a)
    return eig_adjoint(g, None, w, v, np.isrealobj(a))


def eig_adjoint(w_bar: Any, v_bar: Any, w: Any, v: Any, real: bool = False) -> Any:
    """The adjoint of `a` when `w, v = np.linalg.eig(a)`, the columns of `v` of length 1."""
    inner = np.zeros_like(v)
    vh = adjoint_matrix(v)
    if v_bar is not None:
        gap = np.conj(w[..., None, :] - w[..., :, None])
        equal = np.abs(gap) <= 8 * np.finfo(gap.dtype).eps * np.max(np.abs(w), initial=0.0)
        back = vh @ v_bar
        k = np.arange(v.shape[-1])
        back = back - vh @ v * back[..., k, k].real[..., None, :]
        inner = np.where(equal, 0, back / np.where(equal, 1, gap))
    if w_bar is not None:
        k = np.arange(v.shape[-1])
        inner[..., k, k] += w_bar
    result = np.linalg.solve(vh, inner @ vh)
    return result.real if real else result
