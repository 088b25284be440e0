"""Kinds of what is known while compiling, as those of arguments of a call from outside."""

from __future__ import annotations

from dataclasses import replace

from autodiff.kinds.kind import (
    UNKNOWN,
    Array,
    Kind,
    Mapping,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
)
from autodiff.kinds.size import Dim, Size


def generalized(kind: Kind | None) -> Kind:
    """A kind without sizes and constants."""
    if isinstance(kind, Scalar):
        return Scalar(kind.type, kind.dtype)
    if isinstance(kind, Array):
        return Array(kind.dtype, (None,) * len(kind.shape))
    if isinstance(kind, Static) and isinstance(kind.value, (str, bytes)):
        return Text()
    if isinstance(kind, Record) and (not kind.indexed):
        return replace(kind, items=tuple(generalized(item) for item in kind.items))
    if isinstance(kind, (Static, Text)):
        return kind
    if isinstance(kind, Sequence):
        return Sequence(generalized(kind.item), kind.cls)
    if isinstance(kind, Mapping):
        return replace(kind, item=generalized(kind.item), key=generalized(kind.key))
    return UNKNOWN


def alike(kinds: list[Kind]) -> list[Kind]:
    """The kinds of arguments, as `kinds_of` would find them: sizes under names of their own."""
    sizes: dict[object, Dim] = {}

    def size(own: Size) -> Size:
        if own is None or own == 1:
            return own
        plural = own.plural and not own.offset if isinstance(own, Dim) else own > 1
        return sizes.setdefault(own, Dim(f"n{len(sizes)}", 2 if plural else 0))

    def visit(kind: Kind) -> Kind:
        if isinstance(kind, Array):
            return Array(kind.dtype, tuple(map(size, kind.shape)))
        if isinstance(kind, Record) and kind.indexed:
            return Record(kind.cls, kind.keys, tuple(map(visit, kind.items)))
        return generalized(kind)

    return [visit(kind) for kind in kinds]
