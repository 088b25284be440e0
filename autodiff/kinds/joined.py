"""`np.r_[...]` and `np.c_[...]`: what joins arrays by its index, as a function of the parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autodiff.frontend.writers import below, beside, in_a_row
from autodiff.kinds.kind import UNKNOWN, Array, Kind, Record, Scalar, Sequence

JOINING = {
    type(np.r_): ("r_", "np.concatenate([a, b])"),
    type(np.c_): ("c_", "np.column_stack([a, b])"),
}
"""The classes of what joins arrays by its index, and what to write instead."""

_WIDEST = frozenset({"bool", "int64", "float64", "complex128"})
"""Arrays beside which a Python number asks for no more digits, whoever decides the dtype."""


def joins(kind: Any) -> bool:
    """Whether this is `np.r_` or `np.c_`."""
    return isinstance(kind, Record) and kind.cls in JOINING


def joined_kind(node: gast.Subscript, base: Record, of: Callable[[gast.expr], Any]) -> Kind:
    """The kind of what an object makes of an index: known where it joins arrays."""
    if not joins(base) or joining_function(node, base, of) is None:
        return UNKNOWN
    kinds = _kinds(node, of)
    rows = base.cls is type(np.r_)
    rank = max((_rank(kind) for kind in kinds), default=0)
    return Array(_dtype(kinds), (None,) * max(rank, 1 if rows else 2))


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


def _dtype(kinds: list[Any]) -> str | None:
    """That of doubles among numbers; None where it takes more to tell."""
    given = {kind.dtype if isinstance(kind, Array) else _of_number(kind) for kind in kinds}
    return "float64" if "float64" in given and given <= {"bool", "int64", "float64"} else None


def _of_number(kind: Any) -> str | None:
    numbers: tuple[Any, ...] = kind.items if isinstance(kind, Record) else (kind,)
    if isinstance(kind, Sequence):
        numbers = (kind.item,)
    real = all(own.type in ("bool", "int", "float") and own.dtype in _PLAIN for own in numbers)
    return (
        "float64"
        if real and any(own.type == "float" for own in numbers)
        else ("int64" if real else None)
    )


_PLAIN = (None, "float64", "int64")
