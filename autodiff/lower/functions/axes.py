"""How many axes an entry has."""

from __future__ import annotations

from typing import Any

from autodiff.core import NotYet, Value
from autodiff.kinds.kind import Array, Record, Scalar
from autodiff.lower.entries.entry import Box, Entry, Pack


def axes(entry: Entry) -> int:
    """The number of axes of an entry; a list of numbers has one."""
    kind = entry.kind if isinstance(entry, Value) else None
    if isinstance(kind, Array):
        return len(kind.shape)
    if isinstance(kind, Scalar):
        return 0
    items: Any = entry.items if isinstance(entry, Pack) else ()
    if isinstance(entry, Box) and entry.cls is list:
        items = entry.slots.values()
    if isinstance(kind, Record) and all(isinstance(item, Scalar) for item in kind.items):
        return 1
    if items and all(isinstance(v, Value) and isinstance(v.kind, Scalar) for v in items):
        return 1
    raise NotYet("a number of axes that is not known")
