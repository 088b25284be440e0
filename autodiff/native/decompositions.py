"""Singular values and QR, and their adjoints, for what Numba compiles.

As in `runtime/factorizations.py`, for one real matrix.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast
import numpy as np
from numba.extending import register_jitable

from autodiff import runtime
from autodiff.kinds.kind import Scalar
from autodiff.native.bindings import Helpers
from autodiff.native.matrices import eigenvalue_adjoint, eigh_adjoint, solve
from autodiff.native.native_kinds import NativeKinds, literal
from autodiff.native.stands import Given, Handler, floats, stands_for
from autodiff.syntax.quote import quote


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


def _complete(
    given: Given, primals: Mapping[str, str], known: NativeKinds, helpers: Helpers
) -> dict[str, gast.expr] | None:
    """The arguments, with arrays like the factor for adjoints that are None, or one number."""
    found = dict(given)
    for bar, factor in primals.items():
        ndim = 1 if factor in ("w", "s") else 2
        if literal(given[bar], ...) is None:
            use = helpers.use("np", np)
            found[bar] = quote("np.zeros_like(x)", np=use, x=given[factor])
        elif isinstance(known.of(given[bar]), Scalar) and ndim == 1:
            use = helpers.use("np", np)
            found[bar] = quote("np.full_like(x, g)", np=use, x=given[factor], g=given[bar])
        elif not floats(ndim)(known.of(given[bar])):
            return None
        if not floats(ndim)(known.of(given[factor])):
            return None
    return found


def _adjoint(helper: Any, alone: Any, values: str, **primals: str) -> Handler:
    """The helper for all adjoints; `alone` where only that of the values is there.

    primals: the factor of each adjoint.
    """
    bars = list(primals)

    def handler(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
        whole = _complete(given, primals, known, helpers)
        if whole is None:
            return None
        absent = {bar for bar in bars if literal(given[bar], ...) is None}
        parts = [*bars, *primals.values()]
        if alone is not None and absent == {*bars} - {values}:
            parts = [values, *(f for f in primals.values() if f != primals[values])]
            text = f"f({', '.join(parts)})"
            return quote(text, f=helpers.use(alone.__name__, alone), **_only(whole, parts))
        text = f"f({', '.join(parts)})"
        return quote(text, f=helpers.use(helper.__name__, helper), **_only(whole, parts))

    return handler


def _only(given: Given, names: list[str]) -> dict[str, gast.expr]:
    return {name: given[name] for name in names}


_EIGH = _adjoint(*(eigh_adjoint, eigenvalue_adjoint, "w_bar"), w_bar="w", v_bar="v")
_SVD = _adjoint(
    *(svd_adjoint, singular_values_adjoint, "s_bar"),
    u_bar="u",
    s_bar="s",
    vh_bar="vh",
)
_QR = _adjoint(qr_adjoint, None, "r_bar", q_bar="q", r_bar="r")
FACTORIZATIONS: dict[Any, tuple[tuple[str, ...], Handler]] = {
    runtime.eigh_adjoint: (("w_bar", "v_bar", "w", "v"), _EIGH),
    runtime.svd_adjoint: (("u_bar", "s_bar", "vh_bar", "u", "s", "vh"), _SVD),
    runtime.qr_adjoint: (("q_bar", "r_bar", "q", "r"), _QR),
}
"""By function: the names of its parameters in their order, and what stands for a call of it."""
