"""A tangent that is zero in places stays so, whatever the slope there is.

    x[x > 1.0] = 1.0                x_dot[x > 1.0] = 0.0
    y = np.arccos(x)                y_dot = np.where(x_dot, -x_dot / np.sqrt(1 - x**2), 0.0)

What is stored in parts leaves others as they were, and the slope of those may be infinite. That of
Python's numbers is an error, so it is asked for where a number may depend on no input, too:

    k = x[0] if c else 1.0          q_dot = -k_dot / math.sqrt(1 - k**2) if k_dot else 0.0

Of several operands each has a term of its own, which is zero where its tangent is.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial, reduce

import gast

from autodiff.core import Apply, Function, If, Region, Store, Value, ends
from autodiff.dataflow.activity import Activity
from autodiff.kinds.kind import Array
from autodiff.reversal import choices
from autodiff.reversal.gates import Gates, gate, is_chosen, reaches, sources
from autodiff.reversal.unneeded import Unneeded, may_raise
from autodiff.tangent.rules import Use


class Vanishing(Gates):
    """Which tangents may be zero in places by how they came about. stored: the memory of which the
    program stores parts.
    """

    def __init__(self, function: Function, active: Activity) -> None:
        super().__init__(function.strict)
        self.unneeded = Unneeded(function, active)
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

    def of(self, use: Use, written: Callable[[Use], Value | None]) -> Value | None:
        """The tangent of an operation, each term of it zero where the tangent of its operand is.
        written: gives what its rule says.
        """
        operations = use.builder.block.operations
        since = len(operations)
        made = written(use)
        own = operations[since:]
        singular = [op for op in own if choices.is_singular(op, self.bounds)]
        if made is None or not singular or choices.has_run(use.op, self.strict):
            return made
        raises = any(map(may_raise, singular))
        left = [v for v, dot in use.dots.items() if self.is_left(v, dot, singular, raises)]
        if not left:
            return made
        if len(use.dots) == 1:
            return gate(use.builder, use.dots[left[0]], made, own)
        del operations[since:]
        each = [use._replace(dots={value: dot}) for value, dot in use.dots.items()]
        terms = [term for one in each if (term := self.of(one, written)) is not None]
        return reduce(partial(use.builder.binary, gast.Add()), terms) if terms else None

    def is_left(self, value: Value, dot: Value, singular: list[Apply], raises: bool) -> bool:
        """Whether a tangent may be zero in places where an operation is infinite, or an error."""
        return self.is_open(dot, singular) or raises and not self.unneeded.is_sure(value)


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
