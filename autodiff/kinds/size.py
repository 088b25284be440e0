"""Symbolic sizes of axes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dim:
    """A symbolic size, `max(0, name - offset)`; as the value of an integer, `name - offset`.

    `least` is the least that `name` may be; all sizes called after it have the same. The name may
    say from which others the size follows (`composed`, and `4*n` for four times `n`).
    """

    name: str
    least: int = 0
    offset: int = 0

    @property
    def plural(self) -> bool:
        """Whether it is at least 2, so that it never broadcasts."""
        return self.least - self.offset > 1

    def minus(self, count: int) -> Dim:
        """The size with `count` taken off."""
        return Dim(self.name, self.least, self.offset + count) if count else self

    def times(self, factor: int) -> Dim:
        """The integer multiplied by a positive number."""
        own, base = self.factored
        name = base if own * factor == 1 else f"{own * factor}*{base}"
        return Dim(name, self.least * factor, self.offset * factor)

    def over(self, divisor: int) -> Dim | None:
        """The integer divided by a positive number; None where that may leave a rest."""
        factor, base = self.factored
        if divisor < 1 or factor % divisor or self.offset % divisor:
            return None
        factor //= divisor
        name = base if factor == 1 else f"{factor}*{base}"
        return Dim(name, self.least // divisor, self.offset // divisor)

    @property
    def factored(self) -> tuple[int, str]:
        """How many times which other `name` is."""
        factor, star, base = self.name.partition("*")
        return (int(factor), base) if star and factor.isdigit() else (1, self.name)

    def plus(self, other: Dim, sign: int = 1) -> int | Dim | None:
        """The sum of two integers that are multiples of one, or their difference; None for others.

        Nor for what may be negative, which is no size.
        """
        (one, base), (two, same) = self.factored, other.factored
        factor, offset = one + sign * two, self.offset + sign * other.offset
        if base != same or factor < 0:
            return None
        if not factor:
            return -offset
        least = self.least // one
        name = base if factor == 1 else f"{factor}*{base}"
        return Dim(name, least * factor, offset)


Size = int | Dim | None

Told = int | tuple[str, str | int]
"""What a function tells of sizes: that they may be a number, or that one (its name comes first) may
be a multiple of another, or of a number.
"""


def is_plural(size: Size) -> bool:
    """Whether a size is at least 2, so that it never broadcasts."""
    return at_least(size) > 1


def total(sizes: list[Size]) -> Size:
    """The sum of sizes that are multiples of one; None where it has no such name."""
    found: Size = 0
    for size in sizes:
        if found is None or size is None or isinstance(size, Dim) and size.least < size.offset:
            return None
        if isinstance(found, Dim):
            found = found.plus(size) if isinstance(size, Dim) else found.minus(-size)
        else:
            found = size.minus(-found) if isinstance(size, Dim) else found + size
    return found


def at_least(size: Size) -> int:
    """The least that a size may be."""
    if isinstance(size, Dim):
        return max(0, size.least - size.offset)
    return 0 if size is None else size


INTEGER = ".value"
"""How the name of a `Dim` ends that is no size but any integer: only an axis makes it one."""


def lowest(value: object) -> int | None:
    """The least that a known integer may be; None where nothing is known."""
    if isinstance(value, Dim):
        bounded = not value.factored[1].endswith(INTEGER)
        return value.least - value.offset if bounded else None
    return value if type(value) is int else None


def composed(size: Size, bounds: list[int | Dim | None]) -> str:
    """The name of the size of a slice: equal for equal bounds of axes of equal size."""
    parts = (f"{p.name}:{p.offset}" if isinstance(p, Dim) else str(p) for p in (size, *bounds))
    return f"({'|'.join(parts)})"
