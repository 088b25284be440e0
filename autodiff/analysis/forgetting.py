"""Kinds and the names that sizes are called by: the size of `x`, or one born in a loop."""

from __future__ import annotations

from typing import Any

from autodiff.analysis.kind import Array, Kind, Scalar, with_parts
from autodiff.analysis.size import INTEGER, Dim, owners_of


def forget(kind: Kind, owners: set[str]) -> Kind:
    """The kind without the dimensions that were born with one of the given names."""
    if isinstance(kind, Array):
        if any(_owned(size, owners) for size in kind.shape):
            shape = tuple(None if _owned(size, owners) else size for size in kind.shape)
            return Array(kind.dtype, shape)
        return kind
    if isinstance(kind, Scalar):
        return Scalar(kind.type, kind.dtype) if _owned(kind.value, owners) else kind
    return with_parts(kind, lambda part: forget(part, owners))


def _owned(size: Any, owners: set[str]) -> bool:
    return isinstance(size, Dim) and not owners.isdisjoint(owners_of(size))


def named(kind: Kind, owner: str) -> Kind:
    """The kind with its unknown sizes named after the one name that holds the value."""
    if isinstance(kind, Array) and None in kind.shape:
        shape = tuple(
            Dim(f"{owner}.{axis}") if size is None else size for axis, size in enumerate(kind.shape)
        )
        return Array(kind.dtype, shape)
    if isinstance(kind, Scalar) and kind.type == "int" and kind.value is None:
        return Scalar("int", kind.dtype, Dim(f"{owner}{INTEGER}"))
    return kind
