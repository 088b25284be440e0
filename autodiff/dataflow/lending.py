"""What a function with a rule of the user's gives, which may be memory that it is given.

    before: `y = f(u)`, and later `u[1:] = ...`
    after: `y = f(u).copy()`

Its derivative is that of a function of what `u` holds: it takes its result for new memory, which
nobody can tell from the user's as long as nobody changes the one while the other is in use.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from autodiff.core import (
    Apply,
    Function,
    Load,
    LoadOuter,
    Loop,
    NotYet,
    Operation,
    References,
    Region,
    Value,
    View,
    around,
    values_in,
)
from autodiff.kinds.kind import Array, Scalar
from autodiff.runtime import copied
from autodiff.syntax.names import name


def own_results(function: Function, references: References) -> None:
    """Copies what may be memory that changes; refuses what is changed while both are in use."""
    order = list(function.body.walk())
    edges = {op: (regions_of(op.result), behind(op.operands)) for op in order if lends(op)}
    for op in [*edges]:
        assert isinstance(op, Apply)
        made, given = edges.pop(op)
        result, others = (Memory(function, order, reached(own, edges)) for own in (made, given))
        if not (others.writes or result.writes):
            edges[op] = made, given
            continue
        if function.laid_out or others.outer and result.writes or result.regions & others.regions:
            raise NotYet("memory that a function of the user's may give back")
        if conflict(op, result.writes, others) or conflict(op, others.writes, result):
            raise NotYet("memory that a function of the user's may give back")
        op.form = copy_of(op, references)
        op.primitive = replace(op.primitive, lending=False)


def lends(op: Operation) -> bool:
    """Whether an operation gives what may be memory of its operands."""
    return (
        isinstance(op, Apply)
        and bool(op.primitive.lending)
        and not isinstance(op.result.kind, Scalar)
    )


def regions_of(value: Value) -> set[Region]:
    """The memory of a value, and of what it holds."""
    region = value.region
    return set() if region is None else {inner.find() for inner in region.reached()}


def behind(values: list[Value]) -> set[Region]:
    """The memory of values, and that from which they were read."""
    found, todo = set[Region](), [*values]
    while todo:
        value = todo.pop()
        found |= regions_of(value)
        if isinstance(value.op, (Load, View)):
            todo.append(value.op.base)
    return found


def reached(
    start: set[Region], edges: dict[Operation, tuple[set[Region], set[Region]]]
) -> set[Region]:
    """All memory that may be the same, by what other such operations give."""
    found, count = set(start), -1
    while count != len(found):
        count = len(found)
        for pair in edges.values():
            if any(not found.isdisjoint(side) for side in pair):
                found = found.union(*pair)
    return found


def copy_of(op: Apply, references: References) -> gast.expr:
    """The call, and a copy of what it gives."""
    if isinstance(op.result.kind, Array):
        return gast.Call(gast.Attribute(op.form, "copy", gast.Load()), [], [])
    return gast.Call(name(references.use("copied", copied)), [op.form], [])


class Memory:
    """Regions; the operations that touch them, or what was read there, and those that write there.
    outer: they are memory of outside. returned: the function gives some of it to its caller.
    """

    def __init__(self, function: Function, order: list[Operation], regions: set[Region]) -> None:
        self.order, self.regions = order, regions
        self.values: set[Value] = set()
        self.touches: list[Operation] = []
        self.writes: list[Operation] = []
        self.outer = False
        for op in self.order:
            if any(map(self.is_part, op.operands)):
                self.touches.append(op)
                if isinstance(op, (Load, View)):
                    self.values.update(op.results)
            own = {effect.region.find() for effect in op.effects() if effect.what == "write"}
            if own & self.regions:
                self.writes.append(op)
            if isinstance(op, LoadOuter) and self.is_part(op.result):
                self.outer = True
        self.returned = any(map(self.is_part, values_in(function.result)))

    def is_part(self, value: Value) -> bool:
        """Whether a value is of this memory, holds it, or was read there."""
        if value in self.values:
            return True
        region = value.region
        return region is not None and not self.regions.isdisjoint(region.reached())

    def lasts(self, loop: Loop) -> bool:
        """Whether the memory is there in several iterations of a loop."""
        made: set[Any] = {value for op in loop.body.walk() for value in op.results}
        inside = [op for op in loop.body.walk() if op in self.touches]
        every = {value for op in inside for value in op.operands if self.is_part(value)}
        return bool(every - made) or any(map(self.is_part, loop.body.results))


def conflict(call: Apply, writes: list[Operation], memory: Memory) -> bool:
    """Whether memory is in use behind writes that come behind a call."""
    for write in writes:
        if not comes(write, call, memory):
            continue
        if memory.returned:
            return True
        if any(touch is not write and comes(touch, write, memory) for touch in memory.touches):
            return True
    return False


def comes(op: Operation, other: Operation, memory: Memory) -> bool:
    """Whether an operation runs behind another one: perhaps in a later iteration, with the same
    memory.
    """
    order = memory.order
    if order.index(op) > order.index(other):
        return True
    loops = [block.parent for block in around(op.block) if isinstance(block.parent, Loop)]
    return any(
        isinstance(each.parent, Loop) and each.parent in loops and memory.lasts(each.parent)
        for each in around(other.block)
    )
