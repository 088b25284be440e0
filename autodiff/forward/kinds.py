"""What kinds tangents have."""

from __future__ import annotations

from autodiff.analysis.kind import (
    UNKNOWN,
    Array,
    Bound,
    Kind,
    Local,
    Mapping,
    OneOf,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
    is_inexact,
)


def tangent_kind(kind: Kind | None) -> Kind:
    """The kind of the tangent of a value: its own, floats for integers, None for what has none.

    >>> tangent_kind(Scalar("int"))
    Scalar(type='float', dtype=None, value=None)
    >>> tangent_kind(Array("float32", (3,)))
    Array(dtype='float32', shape=(3,))
    """
    if isinstance(kind, Scalar):
        return Scalar(kind.type, kind.dtype) if is_inexact(kind) else Scalar("float")
    if isinstance(kind, Array):
        inexact = kind.dtype is None or is_inexact(kind)
        return kind if inexact else Array("float64", kind.shape)
    if isinstance(kind, Record):
        return Record(kind.cls, kind.keys, tuple(map(tangent_kind, kind.items)))
    if isinstance(kind, Sequence):
        return Sequence(tangent_kind(kind.item), kind.cls)
    if isinstance(kind, Mapping):
        return Mapping(tangent_kind(kind.item), kind.key, kind.cls)
    if isinstance(kind, (Static, Text, Local, Bound, OneOf)):
        return Static(None)
    return UNKNOWN


def has_tangent(kind: Kind | None) -> bool:
    """Whether values of this kind are followed: functions and text are not."""
    return not isinstance(kind, (Static, Text, Local, Bound, OneOf))
