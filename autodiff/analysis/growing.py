"""Lists and dicts that may be one container, or hold one: who sees that a list grows."""

from __future__ import annotations

import gast

from autodiff.analysis.kind import (
    Array,
    Kind,
    Numeric,
    Record,
    Scalar,
    Sequence,
    Span,
    Static,
    Text,
)
from autodiff.analysis.known import Kinds

_LEAVES = (Array, Numeric, Scalar, Span, Static, Text)
_DISPLAYS = (gast.List, gast.Tuple, gast.Dict, gast.ListComp, gast.DictComp)
_COPYING = (list, tuple, dict, sorted)


def holds_containers(kind: Kind | None) -> bool:
    """Whether a value may be a list or a dict, or hold one: what grows; arrays do not."""
    if isinstance(kind, Record) and issubclass(kind.cls, tuple):
        return any(map(holds_containers, kind.items))
    if isinstance(kind, Sequence) and issubclass(kind.cls, tuple):
        return holds_containers(kind.item)
    return not isinstance(kind, _LEAVES)


def is_new_container(statement: gast.Assign, kinds: Kinds) -> bool:
    """Whether a statement makes a list or dict of its own, in which there is no other one.

    The arrays in it may be those of others.
    """
    target = statement.targets[0]
    kind = kinds.names.get(target.id) if isinstance(target, gast.Name) else None
    if isinstance(kind, Record):
        parts = kind.items
    elif isinstance(kind, Sequence):
        parts = (kind.item,)
    else:
        return False
    return not any(map(holds_containers, parts)) and _is_made(statement.value, kinds)


def _is_made(value: gast.expr, kinds: Kinds) -> bool:
    if isinstance(value, _DISPLAYS):
        return True
    if isinstance(value, gast.Call):
        operation = kinds.operation(value)
        return operation is not None and operation.function in _COPYING
    if isinstance(value, gast.Subscript):
        return isinstance(value.slice, gast.Slice)
    return False
