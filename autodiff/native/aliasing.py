"""Which names may share memory, and whose memory nothing is stored into, as Core has it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from autodiff.core import Block, Load, Region

_Own: TypeAlias = Region | str | None
"""A memory, a name, or what the caller holds."""


class Memory:
    """The groups of names that may share memory; a name that Core does not know has its own."""

    def __init__(
        self, names: Mapping[str, set[Region]], views: Iterable[Load], body: Block
    ) -> None:
        """names: with all memory that they may be or hold; body: the function's.

        Two arguments may be one array. `views`: for Core each gives a value, in the text a view.
        """
        self.leaders: dict[_Own, _Own] = {}
        for name, regions in names.items():
            for region in regions:
                self.join(region, name)
                if region.given or region.opaque:
                    self.join(None, region)
        for load in views:
            if load.base.region is not None and load.result.region is not None:
                for region in (*load.base.region.reached(), *load.result.region.reached()):
                    self.join(load.base.region, region)
        effects = (effect for op in body.walk() for effect in op.effects())
        self.stored = {self.group(e.region.find()) for e in effects if e.what == "write"}

    def group(self, own: _Own) -> _Own:
        """One of all that may share memory with a name."""
        while self.leaders.get(own, own) != own:
            own = self.leaders[own]
        return own

    def share(self, one: str, other: str) -> bool:
        return self.group(one) == self.group(other)

    def lasts(self, name: str) -> bool:
        """Whether nothing is stored into a name's memory."""
        return self.group(name) not in self.stored

    def join(self, one: _Own, other: _Own) -> None:
        self.leaders[self.group(other)] = self.group(one)
