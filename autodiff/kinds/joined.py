"""`np.r_[...]` and `np.c_[...]`: what joins arrays by its index, as a function of the parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autodiff.frontend.writers import below, beside, in_a_row
from autodiff.kinds.kind import Array, Record, Scalar, Sequence

JOINING = {
    type(np.r_): ("r_", "np.concatenate([a, b])"),
    type(np.c_): ("c_", "np.column_stack([a, b])"),
}
"""The classes of what joins arrays by its index, and what to write instead."""

_WIDEST = frozenset({"bool", "int64", "float64", "complex128"})
"""Arrays beside which a Python number asks for no more digits, whoever decides the dtype."""


def joining_function(
    node: gast.Subscript, base: Record, of: Callable[[gast.expr], Any]
) -> Callable[..., Any] | None:
    """The function of the parts of the index that gives the same; None where there is none.

    All ranks have to be known, and numbers must not ask for more digits than the arrays have.
    """
    kinds = _kinds(node, of)
    ranks = set(map(_rank, kinds))
    wide = {kind.dtype for kind in kinds if isinstance(kind, Array)} <= _WIDEST
    if not kinds or -1 in ranks or 0 in ranks and not wide:
        return None
    if base.cls is not type(np.r_):
        return beside if ranks <= {0, 1, 2} else None
    return in_a_row if ranks <= {0, 1} else below if len(ranks) == 1 else None


def _parts(node: gast.Subscript) -> list[gast.expr]:
    return list(node.slice.elts) if isinstance(node.slice, gast.Tuple) else [node.slice]


def _kinds(node: gast.Subscript, of: Callable[[gast.expr], Any]) -> list[Any]:
    return [
        _of_slice(part, of) if isinstance(part, gast.Slice) else of(part) for part in _parts(node)
    ]


def _of_slice(part: gast.Slice, of: Callable[[gast.expr], Any]) -> Array:
    bounds = [of(own) for own in (part.lower, part.upper, part.step) if own is not None]
    whole = all(isinstance(kind, Scalar) and kind.type == "int" for kind in bounds)
    return Array("int64" if whole else "float64", (None,))


def _rank(kind: Any) -> int:
    """How many axes a part has; -1 where that is not known, or where it is a text."""
    if isinstance(kind, Scalar):
        return 0
    if isinstance(kind, Array):
        return len(kind.shape)
    if isinstance(kind, Sequence):
        return 1 if kind.cls is list and isinstance(kind.item, Scalar) else -1
    numbers = isinstance(kind, Record) and kind.cls is list
    return 1 if numbers and all(isinstance(item, Scalar) for item in kind.items) else -1
