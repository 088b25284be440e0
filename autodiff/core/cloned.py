"""Operations once more, with values of their own: a sweep that is run from several places."""

from __future__ import annotations

import copy
from collections.abc import Iterable

from autodiff.core.operation import Block, Operation
from autodiff.core.region import Region
from autodiff.core.value import Value


class Clone:
    """Copies operations; `of` gives for each value the one that stands for it, which may be given.
    Memory that the operations make is new memory. kept: regions that stay the same.
    """

    def __init__(self, of: dict[Value, Value], kept: Iterable[Region]) -> None:
        self.of = of
        self.regions = {region.find(): region.find() for region in kept}

    def value(self, value: Value) -> Value:
        """What stands for a value: itself if it is defined elsewhere."""
        return self.of.get(value, value)

    def born(self, value: Value) -> Value:
        """A new value for one that is defined by what is copied."""
        made = Value(value.hint, value.kind, None, value.named, value.constant)
        made.partial, made.memory = value.partial, None
        if value.region is not None:
            made.memory = self.regions.setdefault(value.region, Region())
            made.memory.take(value.region)
        self.of[value] = made
        return made

    def operations(self, given: list[Operation]) -> list[Operation]:
        """The operations in a row."""
        return [self.operation(op) for op in given]

    def operation(self, op: Operation) -> Operation:
        """One operation, and those in it."""
        made = copy.copy(op)
        made.operands = [self.value(value) for value in op.operands]
        made.blocks = [self.block(block, made) for block in op.blocks]
        made.results = [self.born(value) for value in op.results]
        for value in made.results:
            value.op = made
        for key, held in vars(op).items():
            if isinstance(held, Value):
                setattr(made, key, self.value(held))
        return made

    def block(self, block: Block, parent: Operation) -> Block:
        """A block of an operation."""
        made = Block(parent)
        for value in block.parameters:
            made.parameter(self.born(value))
        made.operations = self.operations(block.operations)
        placed(made, made.operations)
        made.results = [self.value(value) for value in block.results]
        return made


def placed(block: Block, operations: list[Operation]) -> None:
    """Operations stand in a block now."""
    for op in operations:
        op.block = block
        for value in op.results:
            value.block = block
