"""What the shadow of a container is."""

from __future__ import annotations

from types import SimpleNamespace

from autodiff.dataflow.carrying import carries
from autodiff.kinds.kind import (
    Array,
    Kind,
    Mapping,
    Nullable,
    Numeric,
    Record,
    Scalar,
    Sequence,
    is_inexact,
    number,
)


def shadow_kind(kind: Kind) -> Kind:
    """The kind of the shadow of a container: objects have their attributes, tuples are lists, and
    what carries no derivative is zero there.
    """
    if isinstance(kind, Nullable):
        return shadow_kind(kind.other)
    if isinstance(kind, Sequence):
        return Sequence(shadow_kind(kind.item), list)
    if isinstance(kind, Mapping):
        return Mapping(shadow_kind(kind.item), kind.key)
    if isinstance(kind, Record):
        plain: dict[type, type] = {tuple: list, list: list, dict: dict}
        return Record(
            plain.get(kind.cls, SimpleNamespace), kind.keys, tuple(map(shadow_kind, kind.items))
        )
    if isinstance(kind, Numeric) or isinstance(kind, Array) and is_inexact(kind):
        return kind
    return number(kind.type if isinstance(kind, Scalar) and carries(kind) else "float", "?")
