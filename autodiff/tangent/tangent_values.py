"""The tangent of a value: its form, its memory, its name, and where it is zero."""

from __future__ import annotations

import numpy as np

from autodiff.core import NOTHING, Apply, NotYet, Value, constant, nothing
from autodiff.dataflow.activity import Activity
from autodiff.emit.naming import hint
from autodiff.kinds.kind import Array, Kind, Scalar, Static, Text, is_inexact
from autodiff.lower.flow.frame import Unit
from autodiff.primitives import Builder
from autodiff.reversal.expansions import Expansions
from autodiff.reversal.shadows import Shadows, zeros
from autodiff.runtime import tangent_of, zeros_like
from autodiff.tangent.vanishing import Vanishing


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
    """The zero of a number, a tuple of zeros for one of constants, `None` for what is no number."""
    kind = value.kind
    if isinstance(value.constant, tuple):
        return constant(tuple(no_tangent(constant(own)).constant for own in value.constant))
    if isinstance(value.constant, (bool, int, float, complex)) or isinstance(kind, Scalar):
        is_complex = isinstance(value.constant, complex) or (
            isinstance(kind, Scalar) and kind.type == "complex"
        )
        return constant(0j if is_complex else 0.0)
    return constant(None)


def is_same(own: Kind, kind: Kind) -> bool:
    """Whether a kind tells that an array is like another."""
    return own == kind and isinstance(kind, Array) and None not in (kind.dtype, *kind.shape)
