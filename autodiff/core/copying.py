"""Operations again, with values and regions of their own: a body that becomes a function."""

from __future__ import annotations

import copy
from typing import Any

from autodiff.core.operation import Operation
from autodiff.core.region import Region
from autodiff.core.value import Block, Value


class Copy:
    """Copies what it is asked for, each thing once. Forms, kinds and primitives are shared."""

    def __init__(self) -> None:
        self.made: dict[Any, Any] = {}

    def of(self, own: Any) -> Any:
        """A part of an operation, as far as it is Core."""
        if isinstance(own, Value):
            return self.value(own)
        if isinstance(own, Operation):
            return self.made.get(own) or self.operation(own)
        if isinstance(own, Region):
            return self.region(own)
        if isinstance(own, Block):
            return self.block(own, None)
        return type(own)(map(self.of, own)) if type(own) in (list, tuple) else own

    def value(self, value: Value) -> Value:
        """A value; what makes it is copied by whoever copies that."""
        if value.is_constant:
            return value
        if value not in self.made:
            made = self.made[value] = copy.copy(value)
            made.op, made.memory = None, self.region(value.memory)
        found: Value = self.made[value]
        return found

    def region(self, region: Region | None) -> Region | None:
        """A region, with all that it holds."""
        if region is None:
            return None
        root = region.find()
        if root not in self.made:
            made = self.made[root] = copy.copy(root)
            made.shadow, made.kinds = None, {key: {**kinds} for key, kinds in root.kinds.items()}
            made.inner = {key: self.of(inner) for key, inner in root.inner.items()}
        found: Region = self.made[root]
        return found

    def operation(self, op: Operation) -> Operation:
        """An operation with its blocks."""
        made = self.made[op] = copy.copy(op)
        placed = (op.block, op.blocks, op.results)
        for key, own in vars(op).items():
            if not any(own is each for each in placed):
                setattr(made, key, self.of(own))
        made.blocks = [self.block(block, made) for block in op.blocks]
        made.results = [self.value(value) for value in op.results]
        for value in made.results:
            value.op = made
        return made

    def block(self, block: Block, parent: Operation | None) -> Block:
        """A block with all that stands in it."""
        made = Block(parent)
        for parameter in block.parameters:
            made.parameter(self.value(parameter))
        for op in block.operations:
            self.put(made, op)
        made.results = [self.value(value) for value in block.results]
        return made

    def put(self, block: Block, op: Operation) -> None:
        """One more operation, at the end of a block."""
        own = self.operation(op)
        own.block = block
        block.operations.append(own)
        for value in own.results:
            value.block = block
