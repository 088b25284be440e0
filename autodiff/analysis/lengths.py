"""Sizes that follow from those of the operands: equal operands give equal ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff.analysis.kind import Array, Kind, Record, Scalar, Static, is_inexact
from autodiff.analysis.size import Dim, Size

_GROWING = frozenset(
    {
        *(np.concatenate, np.hstack, np.vstack, np.dstack, np.column_stack, np.stack, np.append),
        *(np.tile, np.repeat, np.pad, np.kron, np.convolve, np.ravel, np.ndarray.flatten),
    }
)
"""Functions whose results are, along each axis, at least as long as one of the operands'."""


def with_lengths(
    function: Callable[..., Any],
    arguments: tuple[Kind, ...],
    keywords: tuple[tuple[str, Kind], ...],
    found: Kind,
) -> Kind:
    """The kind of a result, with names for sizes that exemplars do not tell.

    Only where no size depends on values that are not known, and no axis of an operand may have
    length 1 or 0 unless its kind says so: then those of the result are plural.
    """
    if function not in _GROWING or not isinstance(found, Array) or None not in found.shape:
        return found
    given = (*arguments, *(kind for _, kind in keywords))
    parts = [part for kind in given for part in _parts(kind)]
    if None in parts:
        return found
    name = "|".join(map(str, (*parts, *(key for key, _ in keywords))))
    shape = tuple(
        Dim(f"({function.__name__}.{axis}|{name})", True) if size is None else size
        for axis, size in enumerate(found.shape)
    )
    return Array(found.dtype, shape)


def product(sizes: list[Size]) -> Dim | None:
    """The size of an axis in place of some, in whatever order; None where it may be 1 or 0."""
    if not all(map(_is_sure, sizes)):
        return None
    return Dim(f"(product|{'|'.join(sorted(str(_named(size)) for size in sizes))})", True)


def _parts(kind: Kind) -> list[str | None]:
    """What sizes may depend on, in words; None for what is not known."""
    if isinstance(kind, Array):
        if not is_inexact(kind) or not all(map(_is_sure, kind.shape)):
            return [None]
        return [f"array {len(kind.shape)}", *map(_named, kind.shape)]
    if isinstance(kind, Scalar):
        if isinstance(kind.value, Dim):
            return [_named(kind.value)]
        return [str(kind.value) if kind.value is not None else None]
    if isinstance(kind, Record) and kind.cls in (list, tuple):
        return ["(", *(part for item in kind.items for part in _parts(item)), ")"]
    is_word = isinstance(kind, Static) and (kind.value is None or isinstance(kind.value, str))
    return [repr(kind.value) if is_word else None]  # type: ignore[attr-defined]


def _is_sure(size: Size) -> bool:
    return size is not None and (size.plural if isinstance(size, Dim) else size > 0)


def _named(size: Size) -> str:
    return f"{size.name}:{size.offset}" if isinstance(size, Dim) else str(size)
