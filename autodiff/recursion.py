"""Functions that call themselves, compiled once as a forward and a reverse half."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from autodiff.analysis.kind import (
    UNKNOWN,
    Array,
    Kind,
    Local,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
)

Key = tuple[types.CodeType, tuple[Kind, ...]]
ResultOf = Callable[[types.FunctionType, tuple[Kind, ...]], "Kind | None"]


@dataclass(slots=True)
class Recursion:
    """What one compilation knows of the recursive functions it meets."""

    result_of: ResultOf
    marked: set[types.CodeType] = field(default_factory=set)
    results: dict[Key, Kind | None] = field(default_factory=dict)
    functions: dict[tuple[Key, tuple[str, ...]], types.CellType] = field(default_factory=dict)
    sources: list[str] = field(default_factory=list)

    def result(self, function: types.FunctionType, kinds: list[Kind | None]) -> Kind | None:
        """The kind that a recursive function returns; None while nothing is known of it."""
        if function.__code__ not in self.marked:
            return UNKNOWN
        general = tuple(map(generalized, kinds))
        key = (function.__code__, general)
        if key in self.results:
            return self.results[key]
        self.results[key] = None
        for _ in range(6):
            found = self.result_of(function, general)
            if found == self.results[key]:
                return found
            self.results[key] = found
        self.results[key] = UNKNOWN
        return UNKNOWN


def generalized(kind: Kind | None) -> Kind:
    """The kind that all calls of a recursion share: sizes and constants may differ at each depth."""
    if isinstance(kind, Scalar):
        return Scalar(kind.type, kind.dtype)
    if isinstance(kind, Array):
        return Array(kind.dtype, (None,) * len(kind.shape))
    if isinstance(kind, Static) and isinstance(kind.value, (str, bytes)):
        return Text()
    if isinstance(kind, Record) and not kind.indexed:
        return Record(kind.cls, kind.keys, tuple(map(generalized, kind.items)))
    if isinstance(kind, (Static, Local, Text)):
        return kind
    if isinstance(kind, Sequence):
        return Sequence(generalized(kind.item), kind.cls)
    return UNKNOWN
