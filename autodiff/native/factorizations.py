"""Singular values and QR, and their adjoints, for what Numba compiles.

As in `runtime/factorizations.py`, for one real matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import register_jitable

from autodiff.native.algebra import solve
from autodiff.native.stands import stands_for


@register_jitable
def _product(a: Any, b: Any) -> Any:
    return np.dot(np.ascontiguousarray(a), np.ascontiguousarray(b))


@stands_for(np.linalg.svd, a="matrix", full_matrices=(None, True))
@register_jitable
def svd(a: Any) -> Any:
    """`np.linalg.svd` with all vectors, a tuple."""
    return np.linalg.svd(np.ascontiguousarray(a), True)


@stands_for(np.linalg.svd, a="matrix", full_matrices=(False,))
@register_jitable
def thin_svd(a: Any) -> Any:
    """`np.linalg.svd` with as many vectors as there are values, a tuple."""
    return np.linalg.svd(np.ascontiguousarray(a), False)


@register_jitable
def singular_values_adjoint(s_bar: Any, u: Any, vh: Any) -> Any:
    """`runtime.svd_adjoint` where nothing depends on the vectors."""
    k = len(s_bar)
    return _product(u[:, :k] * s_bar, vh[:k])


@stands_for(np.linalg.qr, a="matrix")
@register_jitable
def qr(a: Any) -> Any:
    """`np.linalg.qr`, a tuple; of as many rows as columns, or more."""
    if a.shape[0] < a.shape[1]:
        raise ValueError("qr of a matrix with more columns than rows is not compiled natively")
    return np.linalg.qr(np.ascontiguousarray(a))


@register_jitable
def qr_adjoint(q_bar: Any, r_bar: Any, q: Any, r: Any) -> Any:
    """`runtime.qr_adjoint` of a reduced factorization."""
    k = len(r)
    m = _product(r, r_bar.T) - _product(q_bar.T, q)
    for i in range(k):
        for j in range(i):
            m[j, i] = m[i, j]
    right = q_bar + _product(q, m)
    return solve(r, right.T).T


@register_jitable
def svd_adjoint(u_bar: Any, s_bar: Any, vh_bar: Any, u: Any, s: Any, vh: Any) -> Any:
    """`runtime.svd_adjoint` of a thin factorization."""
    k = len(s)
    if u.shape[1] != k or vh.shape[0] != k:
        raise ValueError("the vectors of np.linalg.svd: pass full_matrices=False")
    uu, vv = _product(u.T, u_bar), _product(vh, vh_bar.T)
    close = 8 * np.finfo(np.float64).eps * np.max(np.abs(s))
    inner = np.zeros((k, k))
    inverse = np.zeros(k)
    for i in range(k):
        for j in range(k):
            if abs(s[j] - s[i]) > close:
                gap = (s[j] - s[i]) * (s[j] + s[i])
                turned = (uu[i, j] - uu[j, i]) * s[j] + s[i] * (vv[i, j] - vv[j, i])
                inner[i, j] = turned / gap
        inner[i, i] = s_bar[i]
        if s[i] != 0.0:
            inverse[i] = 1.0 / s[i]
    result = _product(_product(u, inner), vh)
    if u.shape[0] > k:
        result += _product((u_bar - _product(u, uu)) * inverse, vh)
    if vh.shape[1] > k:
        result += _product(u * inverse, vh_bar - _product(vv.T, vh))
    return result
