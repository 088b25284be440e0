"""Windows: the part of memory that an access touches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import EllipsisType
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class At:
    """A part of an index that is a value: the operand of that number among those of the window."""

    number: int


@dataclass(frozen=True, slots=True)
class Span:
    """A slice in an index."""

    low: Limit
    high: Limit
    step: Limit


Limit = int | At | None
Part = int | At | Span | EllipsisType | None
"""An axis of an index; None is a new axis."""


@dataclass(frozen=True, slots=True)
class Window:
    """What stands in brackets. `several`: it is written as a tuple."""

    parts: tuple[Part, ...]
    several: bool = False

    def limits(self) -> Iterator[Limit]:
        """All numbers and operands in it."""
        for part in self.parts:
            if isinstance(part, Span):
                yield from (part.low, part.high, part.step)
            elif isinstance(part, (int, At)):
                yield part

    @property
    def size(self) -> int:
        """How many operands it has."""
        return sum(isinstance(limit, At) for limit in self.limits())

    @property
    def is_place(self) -> bool:
        """Whether it is a place that has to be there, where slices need not."""
        return self.size > 0 or any(isinstance(part, int) for part in self.parts)

    def mapped(self, span: Callable[[T, T, T], T], leaf: Callable[[object], T]) -> list[T]:
        """Each axis by `leaf`, and slices by `span` of their three limits."""
        return [
            span(leaf(part.low), leaf(part.high), leaf(part.step))
            if isinstance(part, Span)
            else leaf(Ellipsis if part is Ellipsis else NEW_AXIS if part is None else part)
            for part in self.parts
        ]


NEW_AXIS = object()
"""What `mapped` gives for a new axis, as None is a limit that is left out."""
WHOLE = Window((Ellipsis,))
"""All of it, also of an array without axes: `x[...]`."""
