"""Calls of factorizations and of their adjoints, where adjoints of some factors may be None."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gast
import numpy as np

from autodiff import runtime
from autodiff.kinds.kind import Array, Kind, Scalar
from autodiff.native import algebra, factorizations
from autodiff.native.bindings import Helpers
from autodiff.native.values import NativeKinds, literal
from autodiff.syntax.quote import quote

Given = Mapping[str, gast.expr]
Handler = Callable[[Given, NativeKinds, Helpers], "gast.expr | None"]


def _has(kind: Kind | None, ndim: int) -> bool:
    return isinstance(kind, Array) and kind.dtype == "float64" and len(kind.shape) == ndim


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
        elif not _has(known.of(given[bar]), ndim):
            return None
        if not _has(known.of(given[factor]), ndim):
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


def _svd(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    full = literal(given.get("full_matrices"), True)
    if not given.keys() <= {"a", "full_matrices"} or not _has(known.of(given["a"]), 2):
        return None
    if type(full) is not bool:
        return None
    helper = factorizations.svd if full else factorizations.thin_svd
    return quote("f(a)", f=helpers.use(helper.__name__, helper), a=given["a"])


def _qr(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    if given.keys() != {"a"} or not _has(known.of(given["a"]), 2):
        return None
    return quote("f(a)", f=helpers.use("qr", factorizations.qr), a=given["a"])


_EIGH = _adjoint(*(algebra.eigh_adjoint, algebra.eigenvalue_adjoint, "w_bar"), w_bar="w", v_bar="v")
_SVD = _adjoint(
    *(factorizations.svd_adjoint, factorizations.singular_values_adjoint, "s_bar"),
    u_bar="u",
    s_bar="s",
    vh_bar="vh",
)
_QR = _adjoint(factorizations.qr_adjoint, None, "r_bar", q_bar="q", r_bar="r")
FACTORIZATIONS: dict[Any, tuple[tuple[str, ...], Handler]] = {
    np.linalg.svd: (("a", "full_matrices", "compute_uv", "hermitian"), _svd),
    np.linalg.qr: (("a", "mode"), _qr),
    runtime.eigh_adjoint: (("w_bar", "v_bar", "w", "v"), _EIGH),
    runtime.svd_adjoint: (("u_bar", "s_bar", "vh_bar", "u", "s", "vh"), _SVD),
    runtime.qr_adjoint: (("q_bar", "r_bar", "q", "r"), _QR),
}
"""By function: the names of its parameters in their order, and what stands for a call of it."""
