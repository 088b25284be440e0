"""Calls of factorizations and of their adjoints, where adjoints of some factors may be None."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast
import numpy as np

from autodiff import runtime
from autodiff.kinds.kind import Scalar
from autodiff.native import algebra, factorizations
from autodiff.native.bindings import Helpers
from autodiff.native.stands import Given, Handler, floats
from autodiff.native.values import NativeKinds, literal
from autodiff.syntax.quote import quote


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


_EIGH = _adjoint(*(algebra.eigh_adjoint, algebra.eigenvalue_adjoint, "w_bar"), w_bar="w", v_bar="v")
_SVD = _adjoint(
    *(factorizations.svd_adjoint, factorizations.singular_values_adjoint, "s_bar"),
    u_bar="u",
    s_bar="s",
    vh_bar="vh",
)
_QR = _adjoint(factorizations.qr_adjoint, None, "r_bar", q_bar="q", r_bar="r")
FACTORIZATIONS: dict[Any, tuple[tuple[str, ...], Handler]] = {
    runtime.eigh_adjoint: (("w_bar", "v_bar", "w", "v"), _EIGH),
    runtime.svd_adjoint: (("u_bar", "s_bar", "vh_bar", "u", "s", "vh"), _SVD),
    runtime.qr_adjoint: (("q_bar", "r_bar", "q", "r"), _QR),
}
"""By function: the names of its parameters in their order, and what stands for a call of it."""
