"""Shadows: adjoint memory that is made in the forward sweep, beside the memory itself.

One rule: active memory that is written has a shadow, of the same form and layout, which is passed
on wherever
the memory is passed on.
"""

from __future__ import annotations

import numpy as np

from autodiff.analysis.kind import Array, Numeric, Sequence, is_inexact
from autodiff.core.appends import Append, Take
from autodiff.core.notyet import NotYet
from autodiff.core.operation import Apply, Block, If, Load, LoadOuter, Loop, Operation, View
from autodiff.core.references import References
from autodiff.core.value import NOTHING, Value, constant, nothing
from autodiff.emit.names import hint
from autodiff.primitives.builder import Builder
from autodiff.primitives.table import LISTING
from autodiff.reversal.activity import Activity
from autodiff.runtime import zeros_like


class Shadows:
    """Makes them; `of` gives the shadow of a value."""

    def __init__(self, active: Activity, references: References) -> None:
        self.active, self.references = active, references
        self.of: dict[Value, Value] = {}
        self.primal: dict[Value, Value] = {}

    def shadowed(self, value: Value) -> bool:
        """Whether a value has a shadow."""
        region = value.region
        if region is None or value not in self.active:
            return False
        return region.written or region.held or isinstance(value.kind, Sequence)

    def block(self, block: Block) -> None:
        """Operations on shadows beside the operations on memory."""
        operations, block.operations = block.operations, []
        for op in operations:
            block.operations.append(op)
            if isinstance(op, Loop):
                carried = [
                    each
                    for each in zip(op.inits, op.carried, op.body.results, op.results)
                    if self.shadowed(each[1])
                ]
                for _, parameter, _, _ in carried:
                    self.bar(parameter)
            for inner in op.blocks:
                self.block(inner)
            builder = Builder(block, self.references, op.origin)
            start = len(block.operations)
            if isinstance(op, Loop):
                for init, parameter, following, result in carried:
                    op.carry(
                        self.end(init), self.of[parameter], self.end(following), self.bar(result)
                    )
            elif isinstance(op, If):
                self.joined(op)
            else:
                self.beside(op, builder)
            for made in block.operations[start:]:
                made.shadow = True

    def joined(self, op: If) -> None:
        for first, second, result in list(
            zip(op.blocks[0].results, op.blocks[1].results, op.results)
        ):
            if self.shadowed(result):
                op.merge(self.end(first), self.end(second), self.bar(result))

    def end(self, value: Value) -> Value:
        """The shadow of what is carried on or joined; where a variable holds nothing, so does
        that.
        """
        return nothing(f"{value.hint}_bar") if value.constant is NOTHING else self.of[value]

    def bar(self, value: Value) -> Value:
        """The shadow of what is carried or joined."""
        assert value.memory is not None
        made = Value(f"{hint(value)}_bar", value.kind, value.memory.mirror)
        made.partial = value.partial
        self.of[value], self.primal[made] = made, value
        return made

    def beside(self, op: Operation, builder: Builder) -> None:
        """The shadow of what an operation makes."""
        if isinstance(op, Append) and self.shadowed(op.base):
            builder.append(self.of[op.base], self.of.get(op.value, constant(0.0)))
        if isinstance(op, Take) and self.shadowed(op.base):
            made = builder.take(self.of[op.base])
            if self.shadowed(op.result):
                self.know(op.result, made)
            return
        if isinstance(op, Load) and op.window is None and isinstance(op.result.kind, Sequence):
            return  # what a list holds now is no list that changes
        for value in op.results:
            if not self.shadowed(value):
                continue
            if isinstance(op, View):
                made = (
                    builder.view(self.of[op.base], op.window, op.index)
                    if op.window
                    else self.of[op.base]
                )
            elif isinstance(op, Apply) and op.primitive.memory == "view":
                operands = [self.of[op.operands[0]], *op.operands[1:]]
                made = builder.apply(op.primitive, op.application, op.form, operands, value.kind)
                if made.op is not None:
                    made.op.raises = op.raises
            elif isinstance(op, Apply) and op.primitive is LISTING:
                made = self.listing(op, builder)
            elif isinstance(op, Load) and isinstance(op.base.kind, Sequence):
                made = builder.load(self.of[op.base], op.window, op.index)
            elif isinstance(op, (Apply, Load)):
                made = self.zeros(builder, value)
            elif isinstance(op, LoadOuter):
                raise NotYet("memory of outside is changed")
            else:
                raise NotYet("a shadow of another form")
            self.know(value, made)

    def know(self, value: Value, made: Value) -> None:
        """A value has a shadow."""
        made.hint = f"{hint(value)}_bar"
        assert value.memory is not None
        if made.memory is not None:
            value.memory.mirror.unite(made.memory)
        made.memory = value.memory.mirror
        self.of[value], self.primal[made] = made, value

    def listing(self, op: Apply, builder: Builder) -> Value:
        """A list of the shadows of what a list holds; of numbers, zeros."""
        items = [self.of.get(item, constant(0.0)) for item in op.operands]
        kind = op.result.kind
        assert isinstance(kind, Sequence)
        made = builder.listing(items, kind.item)
        if op.result.memory is not None and made.memory is not None:
            op.result.memory.content.mirror.unite(made.memory.content)
        return made

    def zeros(self, builder: Builder, value: Value) -> Value:
        """New adjoint memory in the form of a value."""
        return zeros(builder, value)


def zeros(builder: Builder, value: Value) -> Value:
    """Zeros in the form of an array, and in its memory order."""
    if value.partial:
        raise NotYet("an adjoint in the form of what may hold nothing")
    own = f"{hint(value)}_bar"
    if isinstance(value.kind, Array) and is_inexact(value.kind):
        return builder.call("np.zeros_like", np.zeros_like, value, name_hint=own, kind=value.kind)
    if not isinstance(value.kind, Numeric) and not (
        isinstance(value.kind, Array) and value.kind.dtype is None
    ):
        raise NotYet("an adjoint of what holds no floating-point numbers")
    return builder.call("zeros_like", zeros_like, value, name_hint=own, kind=value.kind)
