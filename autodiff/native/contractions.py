"""`np.einsum` with a pattern that is written out, as loops."""

from __future__ import annotations

from collections.abc import Mapping

import gast

from autodiff.analysis.kind import Array
from autodiff.native.made import contraction
from autodiff.native.values import NativeKinds
from autodiff.reverse.helpers import Helpers
from autodiff.syntax.quote import quote


def einsum(
    given: Mapping[str, gast.expr], known: NativeKinds, helpers: Helpers
) -> gast.expr | None:
    """`np.einsum("ij,jk->ik", a, b)` of float arrays; None for patterns with `...` or no arrow."""
    pattern, *operands = given.values()
    text = pattern.value if isinstance(pattern, gast.Constant) else None
    if not isinstance(text, str):
        return None
    inputs, arrow, result = text.replace(" ", "").partition("->")
    terms = tuple(inputs.split(","))
    if not arrow or "." in text or len(terms) != len(operands):
        return None
    if len(set(result)) < len(result) or not set(result) <= set(inputs):
        return None
    for term, operand in zip(terms, operands):
        kind = known.of(operand)
        if not isinstance(kind, Array) or kind.dtype != "float64" or len(kind.shape) != len(term):
            return None
    made = contraction(terms, result)
    slots = ", ".join(f"x{k}" for k in range(len(operands)))
    holes = {f"x{k}": operand for k, operand in enumerate(operands)}
    return quote(f"f({slots})", f=helpers.use(made.__name__, made), **holes)
