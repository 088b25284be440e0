"""Regions: memory that shares or may share, and what is known of it.

Windows: the part of memory that an access touches.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from types import EllipsisType
from typing import Any

from autodiff.kinds.kind import Kind

_AGES = itertools.count()


class Region:
    """Memory that shares or may share. Two regions that meet in one value become one (union-find).

    written: some operation changes its content.
    held: a container holds it, or it holds others: it is reached by index.
    given: it is the caller's (a parameter), or comes from outside.
    exposed: somebody whom this function does not see may write there once the forward sweep is
    over.
    opaque: an operation of which nothing is known may share it.
    inner: what containers here hold, by key or attribute; by None if any item may be any of it.
    kinds: of what kinds that is.

    These only grow until lowering ends; whoever asks earlier than that gets an answer that may be
    wrong later.
    """

    __slots__ = (
        *("age", "exposed", "given", "held", "inner", "kinds", "opaque", "shadow", "up", "written"),
    )

    def __init__(self) -> None:
        self.age = next(_AGES)
        self.up: Region | None = None
        self.written = self.held = self.given = self.exposed = self.opaque = False
        self.shadow: Region | None = None
        self.inner: dict[Any, Region] = {}
        self.kinds: dict[Any, dict[Kind, None]] = {}

    def find(self) -> Region:
        """The one region that stands for all that it was united with."""
        root = self
        while root.up is not None:
            root = root.up
        if self is not root:
            self.up = root
        return root

    def unite(self, other: Region) -> None:
        """From now on both are one: the older one stands for it, of which more may be known."""
        one, two = self.find(), other.find()
        if one is two:
            return
        if two.age < one.age:
            one, two = two, one
        two.up = one
        one.take(two)
        for key, kinds in two.kinds.items():
            one.kinds.setdefault(key, {}).update(kinds)
        if one.shadow and two.shadow:
            one.shadow.unite(two.shadow)
        one = one.find()
        one.shadow = one.shadow or two.shadow
        for key, region in two.inner.items():
            inner = self.find().inner
            if inner and (key is None or None in inner or key in inner):
                self.part(key).unite(region)
            else:  # no part of its own, which a region that holds itself would make for ever
                inner[key] = region

    def take(self, other: Region) -> None:
        """What is known of another region holds of this one, too."""
        for flag in ("written", "held", "given", "exposed", "opaque"):
            setattr(self, flag, getattr(self, flag) or getattr(other, flag))

    @property
    def content(self) -> Region:
        """The memory that containers of this region hold: any item may be any of it."""
        return self.part(None)

    def part(self, key: Any) -> Region:
        """The memory that containers of this region hold under a key; of None, all of it."""
        if key is None:
            self._collapse()
        root = self.find()
        if None in root.inner:
            key = None
        if key not in root.inner:
            root.inner[key] = Region()
            root.inner[key].held = True
        return root.inner[key].find()

    def _collapse(self) -> None:
        """From now on it is not told apart what is held under which key."""
        while self.find().inner.keys() - {None}:
            root = self.find()
            first, *others = root.inner.values()
            root.inner = {None: first}
            for other in others:
                first.unite(other)

    def note(self, key: Any, kind: Kind) -> None:
        """Containers here hold something of a kind."""
        self.find().kinds.setdefault(key, {})[kind] = None

    def reached(self) -> list[Region]:
        """It, what it holds, and what that holds."""
        found: dict[Region, None] = {}
        todo = [self.find()]
        while todo:
            region = todo.pop()
            if region not in found:
                found[region] = None
                todo += [inner.find() for inner in region.inner.values()]
        return list(found)

    @property
    def mirror(self) -> Region:
        """The region of the adjoints of what is here: one region, one shadow region."""
        root = self.find()
        if root.shadow is None:
            root.shadow = Region()
        return root.shadow.find()


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
    def is_whole(self) -> bool:
        """Whether it is all of an array, as one: `x[...]`, `x[:]`; `x[()]` may be a number."""
        return self.parts != () and all(
            part is Ellipsis or part == Span(None, None, None) for part in self.parts
        )

    @property
    def is_all(self) -> bool:
        """Whether it is all of an array, or of a number of NumPy's: `x[()]`, `x[...]`."""
        return all(part is Ellipsis for part in self.parts)

    @property
    def is_place(self) -> bool:
        """Whether it is a place that has to be there, where slices need not."""
        return self.size > 0 or any(isinstance(part, int) for part in self.parts)


WHOLE = Window((Ellipsis,))
"""All of it, also of an array without axes: `x[...]`."""
