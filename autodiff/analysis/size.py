"""Symbolic sizes of axes."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dim:
    """A symbolic size, `max(0, name - offset)`; as the value of an integer, `name - offset`.

    `plural` says that it is at least 2, so it never broadcasts. The name may say from which others
    the size follows (`composed`).
    """

    name: str
    plural: bool = False
    offset: int = 0

    def minus(self, count: int) -> Dim:
        """The size with `count` taken off."""
        if not count:
            return self
        return Dim(self.name, self.plural and count <= 0, self.offset + count)


Size = int | Dim | None


def is_plural(size: Size) -> bool:
    """Whether a size is at least 2, so that it never broadcasts."""
    return size.plural if isinstance(size, Dim) else size is not None and size > 1


def composed(size: Size, bounds: list[int | Dim | None]) -> str:
    """The name of the size of a slice: equal for equal bounds of axes of equal size."""
    parts = (f"{p.name}:{p.offset}" if isinstance(p, Dim) else str(p) for p in (size, *bounds))
    return f"({'|'.join(parts)})"


def owners_of(dim: Dim) -> set[str]:
    """The names after which a size, and those from which it follows, are called."""
    return {part.partition(".")[0] for part in re.split(r"[|:()]", dim.name)}
