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

from autodiff.analysis.kind import Array, Scalar
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
from autodiff.runtime import copied
from autodiff.syntax.names import name


def own_results(function: Function, references: References) -> None:
    """Copies what may be memory that changes; refuses what is changed while both are in use."""
    order = list(function.body.walk())
    for op in order:
        if not isinstance(op, Apply) or not op.primitive.lending:
            continue
        if isinstance(op.result.kind, Scalar):
            continue
        given, result = Memory(function, order), Memory(function, order)
        for value in op.operands:
            given.follow(value)
        result.add(op.result)
        result.spread()
        given.spread()
        if not (given.writes or result.writes):
            continue
        if function.laid_out or given.outer and result.writes:
            raise NotYet("memory that a function of the user's may give back")
        if conflict(op, result.writes, given) or conflict(op, given.writes, result):
            raise NotYet("memory that a function of the user's may give back")
        op.form = copy_of(op, references)
        op.primitive = replace(op.primitive, lending=False)


def copy_of(op: Apply, references: References) -> gast.expr:
    """The call, and a copy of what it gives."""
    if isinstance(op.result.kind, Array):
        return gast.Call(gast.Attribute(op.form, "copy", gast.Load()), [], [])
    return gast.Call(name(references.use("copied", copied)), [op.form], [])


class Memory:
    """Regions; the operations that touch them, or what was read there, and those that write there.
    outer: they are memory of outside. lasting: values of it that are there before and after.
    """

    def __init__(self, function: Function, order: list[Operation]) -> None:
        self.function, self.order = function, order
        self.regions: set[Region] = set()
        self.values: set[Value] = set()
        self.touches: list[Operation] = []
        self.writes: list[Operation] = []
        self.outer = self.returned = False

    def add(self, value: Value) -> None:
        """The memory of a value."""
        if value.region is not None:
            self.regions |= {region.find() for region in value.region.reached()}

    def follow(self, value: Value) -> None:
        """The memory of a value, and that from which it was read."""
        self.add(value)
        while isinstance(value.op, (Load, View)):
            value = value.op.base
            self.add(value)

    def spread(self) -> None:
        """Finds out who touches the memory, or what is read there."""
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
        self.returned = any(map(self.is_part, values_in(self.function.result)))

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
