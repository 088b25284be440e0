"""Windows: the part of memory that an access touches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import EllipsisType


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


@dataclass(frozen=True, slots=True)
class Named:
    """An attribute: `base.name`."""

    name: str


Limit = int | At | None
Part = int | str | At | Span | Named | EllipsisType | None
"""An axis of an index; None is a new axis. Of a container: a key, or an attribute."""


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


WHOLE = Window((Ellipsis,))
"""All of it, also of an array without axes: `x[...]`."""
