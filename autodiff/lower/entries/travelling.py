"""What is known of the lists of numbers that a function which calls itself is given, and gives."""

from __future__ import annotations

from dataclasses import dataclass, field

from autodiff.core import Operation
from autodiff.kinds.kind import Scalar
from autodiff.lower.entries.entry import Box


@dataclass(frozen=True, slots=True)
class Known:
    """A list as it is behind an operation."""

    box: Box
    behind: Operation


@dataclass(frozen=True, slots=True)
class Lent:
    """A list that a call gave, which may be one of those that it was given."""

    result: Box
    given: tuple[Box, ...]
    behind: Operation


@dataclass(slots=True)
class Travelling:
    """given: the lists that came as arrays, by the names of these. parts: containers that came part
    by part. out: the lists that go as arrays; kind: what they hold. lent: what calls gave.
    """

    given: dict[str, Known] = field(default_factory=dict)
    parts: list[Box] = field(default_factory=list)
    out: list[Box] = field(default_factory=list)
    kind: Scalar | None = None
    lent: list[Lent] = field(default_factory=list)
