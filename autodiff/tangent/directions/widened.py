"""Values of a function along several directions."""

from __future__ import annotations

from autodiff.core import Apply, Block, Span, Value, Window, constant, users
from autodiff.dataflow.carrying import carries
from autodiff.kinds.kind import Array, Kind, Scalar, number
from autodiff.kinds.size import Dim
from autodiff.lower.flow.frame import Unit
from autodiff.primitives import Builder
from autodiff.tangent.directions.forms import ZEROS, made
from autodiff.tangent.directions.spread import Spread, Unbatched, shape_of

ALL = Span(None, None, None)


class Widened:
    """Gives tangents the axis of the directions. number: how many there are."""

    def __init__(self, unit: Unit, spread: Spread) -> None:
        self.unit, self.references, self.spread = unit, unit.references, spread
        self.swapped: dict[Value, Value] = {}
        self.users = users(unit.function)
        size = Dim("directions", 1)
        self.number = Value("directions", Scalar("int", None, size), named=True)
        self.size = size
        self.entry = Builder(Block(), unit.references, reverse=True)
        self.zero: dict[str, Value] = {}
        self.each = "each"
        while any(value.hint.startswith(self.each) for value in self.users):
            self.each += "_"
        spread.widen(unit.function, size)

    def has(self, value: Value) -> bool:
        """Whether a value depends on the direction."""
        return value in self.spread.kinds

    def one(self, value: Value) -> Kind:
        """The kind of a value along one direction."""
        return self.spread.kinds.get(value, value.kind)

    def rank(self, value: Value) -> int | None:
        """The number of axes along one direction; None where that is not known."""
        shape = shape_of(self.one(value))
        return None if shape is None else len(shape)

    def aligned(self, builder: Builder, value: Value, rank: int) -> Value:
        """A tangent with axes behind that of the directions, to be one of so many."""
        own = self.rank(value)
        if not self.has(value) or own is None or own >= rank:
            return value
        return builder.view(value, Window((ALL, *(None,) * (rank - own)), True), [])

    def held(self, builder: Builder, value: Value) -> Value:
        """What a container, a variable or the caller gets: zeros have the axis, too."""
        own = value.constant
        if isinstance(own, tuple):
            parts = [self.held(builder, constant(each)) for each in own]
            return builder.display(tuple, tuple(range(len(parts))), parts)
        if value.is_constant and isinstance(value.kind, Scalar) and carries(value.kind):
            if own != 0:
                raise Unbatched("a tangent that is a constant")
            return self.zeros("complex128" if value.kind.type == "complex" else "float64")
        if not value.is_constant and carries(value.kind) and not self.has(value):
            raise Unbatched("what a tangent begins with")
        return value

    def zeros(self, dtype: str) -> Value:
        """The zero of a number, which nobody changes: it is made once."""
        if dtype not in self.zero:
            text = "np.zeros(a)" if dtype == "float64" else "np.zeros(a, complex)"
            kind = Array(dtype, (self.size,))
            self.zero[dtype] = own = made(self, self.entry, text, [self.number], kind, ZEROS)
            own.hint, own.named = "zero", True
            self.spread.kinds[own] = number("complex" if "," in text else "float")
        return self.zero[dtype]

    def give(self, value: Value, made: Value, builder: Builder) -> None:
        """A value is what was made from now on."""
        new = made.op
        if new is None or new.block is not builder.block or made in self.spread.kinds:
            self.swapped[value] = made
            self.spread.kinds.setdefault(made, self.one(value))
            return
        new.results[new.results.index(made)], value.op, value.block = value, new, builder.block
        of_another = not (isinstance(new, Apply) and new.primitive.memory == "new")
        if of_another and value.memory is not None and made.memory is not None:
            value.memory.unite(made.memory)

    def stays(self, op: Apply, builder: Builder) -> Value:
        """An operation is the same for all directions."""
        builder.block.operations.append(op)
        return op.result
