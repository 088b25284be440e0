"""The tangent of a value: its form, its memory, its name, and where it is zero."""

from __future__ import annotations

import operator

import numpy as np

from autodiff.core import (
    NOTHING,
    Apply,
    Function,
    If,
    NotYet,
    Region,
    Store,
    Value,
    constant,
    ends,
    nothing,
)
from autodiff.dataflow.activity import Activity
from autodiff.emit.names import hint
from autodiff.kinds.kind import Array, Kind, Scalar, Static, Text, is_inexact
from autodiff.lower.flow.frame import Unit
from autodiff.primitives import Builder
from autodiff.reversal import choices
from autodiff.reversal.expansions import Expansions
from autodiff.reversal.gates import Gates, gate, is_chosen, reaches, sources
from autodiff.reversal.shadows import Shadows, zeros
from autodiff.runtime import tangent_of, zeros_like
from autodiff.tangent.rules import Use


class Values(Shadows):
    """`of` gives the tangent of a value: a shadow, if its memory changes or is held."""

    suffix = "dot"

    def __init__(self, unit: Unit, active: Activity, complex_: bool) -> None:
        super().__init__(active, unit.references, unit.function.laid_out)
        self.vanishing = Vanishing(unit.function, active)
        self.unit, self.expansions = unit, Expansions(unit.references, complex_)
        self.since = 0  # where the operations begin that stand beside the one that is looked at

    def know(self, value: Value, made: Value) -> None:
        """A value has a tangent that is memory."""
        super().know(value, made)
        self.vanishing.begin(value, made)

    def become(
        self, builder: Builder, value: Value, dot: Value | None, covering: bool = True
    ) -> None:
        """A value has a tangent; None stands for zero, of memory that changes for zeros. covering:
        it is known to have the shape of the value.
        """
        if self.shadowed(value):
            if dot is not None:
                dot = self.owned(builder, value, dot, covering)
            self.lend(value, self.zero(builder, value) if dot is None else dot)
        elif dot is not None:
            self.lend(value, self.formed(builder, value, dot, covering))

    def formed(self, builder: Builder, value: Value, dot: Value, covering: bool) -> Value:
        """A tangent in the form of its value."""
        if covering or isinstance(value.kind, Scalar) or is_same(dot.kind, value.kind):
            return dot
        return self.typed(builder, value, dot)

    def typed(self, builder: Builder, value: Value, dot: Value) -> Value:
        """A tangent of the type of its value, as new memory."""
        return builder.call("tangent_of", tangent_of, dot, value, kind=value.kind)

    def owned(self, builder: Builder, value: Value, dot: Value, covering: bool) -> Value:
        """A tangent as memory of its own, which lies in memory as its value does."""
        own, kind = dot.kind, value.kind
        typed = isinstance(own, Array) and isinstance(kind, Array) and own.dtype == kind.dtype
        typed = typed and is_inexact(own) and (covering or is_same(own, kind))
        if not typed or self.laid_out:
            return self.typed(builder, value, dot)
        made = dot.op
        if isinstance(made, Apply) and made.primitive.memory == "new":
            if made.block is builder.block and made not in builder.block.operations[: self.since]:
                return dot
        return builder.call(".copy", np.copy, dot, kind=kind)

    def zero(self, builder: Builder, value: Value) -> Value:
        """The zero tangent of a value."""
        if value.constant is NOTHING:
            return nothing(f"{value.hint}_{self.suffix}")
        if value.is_constant or isinstance(value.kind, (Scalar, Static, Text)):
            return no_tangent(value)
        if isinstance(value.kind, Array) and is_inexact(value.kind):
            return zeros(builder, value, self.laid_out and self.shadowed(value))
        if value.partial:
            raise NotYet("a tangent in the form of what may hold nothing")
        return builder.call("zeros_like", zeros_like, value, kind=value.kind)

    def dot(self, builder: Builder, value: Value) -> Value:
        """The tangent of a value, written out where it is zero."""
        found = self.of.get(value)
        return self.zero(builder, value) if found is None else found

    def lend(self, value: Value, dot: Value) -> None:
        """A value that is memory of another has a tangent that is memory of that one's."""
        if self.shadowed(value):
            self.know(value, dot)
        else:
            self.of[value] = dot
        self.name(value, dot)

    def name(self, value: Value, dot: Value) -> None:
        """A new tangent is named after its value."""
        if dot.op is not None and dot.op.shadow is False and not dot.hint:
            dot.hint = f"{hint(value)}_{self.suffix}"
        if dot.op is not None and dot.op.shadow is False:
            dot.named = value.named


def no_tangent(value: Value) -> Value:
    """The zero of a number, `None` for what is none."""
    kind = value.kind
    if isinstance(value.constant, (bool, int, float, complex)) or isinstance(kind, Scalar):
        is_complex = isinstance(value.constant, complex) or (
            isinstance(kind, Scalar) and kind.type == "complex"
        )
        return constant(0j if is_complex else 0.0)
    return constant(None)


def is_same(own: Kind, kind: Kind) -> bool:
    """Whether a kind tells that an array is like another."""
    return own == kind and isinstance(kind, Array) and None not in (kind.dtype, *kind.shape)


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
