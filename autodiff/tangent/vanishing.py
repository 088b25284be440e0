"""A tangent that is zero in places stays so, whatever the slope there is.

    x[x > 1.0] = 1.0                x_dot[x > 1.0] = 0.0
    y = np.arccos(x)                y_dot = np.where(x_dot, -x_dot / np.sqrt(1 - x**2), 0.0)

What is stored in parts leaves others as they were, and the slope of those may be infinite.
"""

from __future__ import annotations

import operator

from autodiff.core import Apply, Function, If, Region, Store, Value, ends
from autodiff.dataflow.activity import Activity
from autodiff.kinds.kind import Array
from autodiff.reversal import choices
from autodiff.reversal.gates import Gates, gate, is_chosen, reaches, sources
from autodiff.tangent.rules import Use


class Vanishing(Gates):
    """Which tangents may be zero in places by how they came about. stored: the memory of which the
    program stores parts.
    """

    def __init__(self, function: Function, active: Activity) -> None:
        super().__init__(function.strict)
        self.stored: set[Region | None] = {
            op.base.region
            for op in function.body.walk()
            if isinstance(op, Store) and op.base.is_array and op.base in active
        }

    def begin(self, value: Value, dot: Value) -> None:
        """A value has a tangent that is memory."""
        if isinstance(value.kind, Array) and value.region in self.stored:
            self.close(dot, dot.block)

    def is_partial(self, g: Value) -> bool:
        """Whether a tangent may be zero in places: stored, or of one path."""
        return reaches(g, self.begins, self.partial, made_of)

    def leaves(self, g: Value) -> bool:
        """Whether a path or a mask leaves a tangent zero."""
        one_path = isinstance(g.op, If) and any(is_zero(end) for end in ends(g))
        return one_path or is_chosen(g)

    def left_out(self, use: Use, made: Value | None, since: int) -> Value | None:
        """The tangent of an operation, zero where the one of its operand is. since: where the
        operations begin that made it.
        """
        if made is None or len(use.dots) != 1:
            return made
        [dot] = use.dots.values()
        own = use.builder.block.operations[since:]
        singular = [op for op in own if choices.is_singular(op, self.bounds)]
        if not singular or choices.has_run(use.op, self.strict) or not self.is_open(dot, singular):
            return made
        return gate(use.builder, dot, made, own)


def made_of(g: Value) -> list[Value]:
    """What a tangent has its zeros from. It is zero only where each term of it is: the first one is
    asked; and the sum of what is zero in places is not.
    """
    op = g.op
    if isinstance(op, If):
        return ends(g)
    if isinstance(op, Apply):
        if op.primitive.function in (operator.add, operator.sub):
            return sources(g)[:1]
        return sources(g) if op.primitive.elementwise or op.primitive.memory == "view" else []
    return sources(g)


def is_zero(value: Value) -> bool:
    """Whether a tangent is zero as it is written."""
    return value.is_constant and value.constant == 0.0
