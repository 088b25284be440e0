"""Subscripts that are known: constant keys and slices with constant bounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autodiff.kinds.kind import Kind, Scalar, Static


def key_of(index: gast.expr, of: Callable[[gast.expr], Kind | None]) -> Any:
    """The constant a subscript uses, None where it is not a known int or string."""
    kind = of(index)
    if isinstance(kind, Scalar) and kind.type == "int" and type(kind.value) is int:
        return kind.value
    if isinstance(kind, Static) and isinstance(kind.value, str):
        return kind.value
    return None


def slice_of(index: gast.Slice, of: Callable[[gast.expr], Kind | None]) -> slice | None:
    """A slice with constant bounds, None where they are not known."""
    parts = (index.lower, index.upper, index.step)
    bounds = [None if part is None else key_of(part, of) for part in parts]
    for part, bound in zip(parts, bounds):
        if part is not None and not isinstance(bound, int):
            return None
    return slice(*bounds)
