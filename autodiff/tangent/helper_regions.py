"""The memory of a helper whose body stands in place of its call: what it shares is settled."""

from __future__ import annotations

from autodiff.core import Block, NotYet, Region, Value, around_value
from autodiff.lower.flow.frame import Unit


def joined(own: Value, value: Value, root: Block) -> None:
    """A value of a helper is memory that it is given. Memory of outside of the function is settled:
    what the helper holds or changes has to be held and changed there.
    """
    if own.memory is None or value.memory is None:
        return
    inner, outer = own.memory.find(), value.memory.find()
    inside = root in around_value(value)
    if not inside or outer in reached_outside(root):
        if inner.written > outer.written or inner.held > outer.held:
            raise NotYet("memory of outside that a helper holds or changes")
    if inside:
        outer.unite(inner)


def share_outside(unit: Unit, inner: Unit) -> None:
    """An array of outside is one region, whoever reads it."""
    for own, region in inner.outer.items():
        there, here = unit.outer.setdefault(own, region).find(), region.find()
        if here.written > there.written or here.held > there.held:
            raise NotYet("memory of outside that a helper holds or changes")
        there.unite(here)


def reached_outside(root: Block) -> set[Region | None]:
    """The memory of what a block reads that is defined outside of it."""
    read = {value for op in root.walk() for value in op.operands}
    return {value.region for value in read if root not in around_value(value)}
