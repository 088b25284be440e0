"""A function with its tangent, along several directions at once.

    y_dot = x_dot[i] * w            y_dot = x_dot[:, i] * w
    z_dot[i] = y_dot                z_dot[:, i] = y_dot
    s_dot = 0.0                     s_dot = np.zeros(directions)

Every tangent has one more axis, in front; a number has memory then. The path through the function
does not depend on the direction, so the function itself is computed once. An operation without a
form of its own for all directions (`batched.py`) is applied to each.
"""

from __future__ import annotations

from collections.abc import Callable

import gast
import numpy as np

from autodiff.core import (
    WHOLE,
    Accumulate,
    Append,
    Apply,
    At,
    Block,
    Built,
    Call,
    If,
    Load,
    Loop,
    Operation,
    Store,
    Take,
    Value,
    View,
    Window,
    placed,
    unite,
    values_in,
)
from autodiff.core.operation import Access
from autodiff.dataflow.settle import mapped, rename
from autodiff.kinds.kind import Array, Kind, Record, Scalar, Sequence
from autodiff.lower.flow.frame import Unit
from autodiff.primitives import LISTING, Builder
from autodiff.primitives.containing import is_container, key_of
from autodiff.tangent.directions.batched import applied, each_window
from autodiff.tangent.directions.spread import Spread, Unbatched, least, shape_of
from autodiff.tangent.directions.widened import ALL, Widened


def along_several(unit: Unit, count: int) -> int:
    """The function that `with_tangent` has left along several directions, which its last parameters
    are given. From how many directions on that pays.
    """
    function = unit.function
    if function.laid_out:
        raise Unbatched("what a view is depends on memory order")
    dots = function.body.parameters[-count:]
    value, made = function.result.items
    spread = Spread(function, dots, values_in(made))
    work = Several(unit, spread)
    pays = least(function, spread.kinds)
    work.block(function.body)
    ending = Builder(function.body, unit.references, reverse=True)
    whole = mapped(made, lambda own: work.held(ending, own))
    function.result = Built(tuple, (0, 1), (value, whole))
    work.begin(dots)
    rename(function, work.swapped)
    return pays


class Several(Widened):
    """Writes the operations of a function along several directions."""

    def begin(self, dots: list[Value]) -> None:
        """What the function begins with: the number of directions, and zeros along them."""
        body = self.unit.function.body
        first = Builder(Block(), self.references, reverse=True)
        part = next((p for dot in dots if (p := self.first(first, dot)) is not None), None)
        if part is None:
            raise Unbatched("lists whose lengths are not known")
        made = first.call("len", len, part, kind=self.number.kind).op
        assert made is not None
        made.results, self.number.op = [self.number], made
        operations = [*first.block.operations, *self.entry.block.operations]
        placed(body, operations)
        body.operations[:0] = operations

    def first(self, builder: Builder, dot: Value) -> Value | None:
        """A number or array of a tangent that is given: it is as long as there are directions."""
        if isinstance(dot.kind, Array):
            return dot
        items = zip(dot.kind.keys, dot.kind.items) if isinstance(dot.kind, Record) else ()
        parts = [(k, kind) for k, kind in items if isinstance(kind, (Array, Record))]
        found = (self.first(builder, builder.item(dot, key, kind)) for key, kind in parts)
        return next((part for part in found if part is not None), None)

    # Blocks ------------------------------------------------------------------------------------

    def block(self, block: Block) -> None:
        """All operations of a block."""
        operations, block.operations = block.operations, []
        for op in operations:
            builder = Builder(block, self.references, op.origin, reverse=True)
            builder.contexts = op.contexts
            op.operands = [self.swapped.get(value, value) for value in op.operands]
            start = len(block.operations)
            if op.blocks:
                self.compound(op, builder)
            elif any(map(self.has, (*op.operands, *op.results))):
                handler = HANDLERS.get(type(op))
                if handler is None:
                    raise Unbatched(f"{type(op).__name__} of a tangent")
                handler(self, op, builder)
            else:
                block.operations.append(op)
            for each in block.operations[start:]:
                each.shadow = each.shadow or each is not op

    def compound(self, op: Operation, builder: Builder) -> None:
        """What carries and joins: zeros have the axis as well."""
        if any(map(self.has, op.operands[: op.fixed] if isinstance(op, Loop) else op.operands)):
            raise Unbatched("control flow by a tangent")
        ends = [Builder(inner, self.references, op.origin, reverse=True) for inner in op.blocks]
        for inner in op.blocks:
            self.block(inner)
        for j, value in enumerate(op.results):
            if not self.has(value):
                continue
            for ending in ends:
                results = ending.block.results
                results[j] = self.held(ending, self.swapped.get(results[j], results[j]))
            if isinstance(op, Loop):
                op.operands[op.fixed + j] = self.held(builder, op.inits[j])
        if isinstance(op, (Loop, If)):
            for group in op.groups:
                if self.has(group[-1]):
                    unite(*group)
        builder.block.operations.append(op)

    # Operations --------------------------------------------------------------------------------

    def on_Apply(self, op: Apply, builder: Builder) -> None:
        """In the form for all directions, else for each."""
        value = op.result
        found = applied(self, op, builder)
        new = found.op
        if isinstance(new, Apply) and new is not op and new.block is builder.block:
            new.reads, new.raises = new.reads or op.reads, op.raises
        if found is not value:
            self.give(value, found, builder)

    def on_access(self, op: Access, builder: Builder) -> None:
        """A window has all directions in front."""
        if any(map(self.has, op.index)):
            raise Unbatched("a tangent as an index")
        if not self.has(op.base):
            raise Unbatched("a tangent that is stored where there is none")
        if is_container(op.base.kind):
            if isinstance(op, Accumulate):
                op = self.added(op, builder)
            elif isinstance(op, Store):
                op.operands[1] = self.held(builder, op.value)
        elif op.window in (None, WHOLE):
            self.fitted(op, self.rank(op.base), builder)
        elif op.window is not None:
            leading = leads(op.window, op.index)
            if isinstance(op, Load) and not leading:
                self.give(op.result, each_window(self, op, builder), builder)
                return
            part = builder.part(Value("", self.one(op.base)), op.window, op.index)
            axes = shape_of(part)
            if not leading:
                raise Unbatched("a store into a part of several axes")
            self.fitted(op, None if axes is None else len(axes), builder)
            op.window = Window((ALL, *op.window.parts), True)
        builder.block.operations.append(op)
        if isinstance(op, Load) and self.is_lent(op):
            own, value = Value("", op.result.kind), op.result
            op.results, own.op, own.block = [own], op, op.block
            self.give(value, builder.call(".copy", np.copy, own, kind=own.kind), builder)

    def added(self, op: Accumulate, builder: Builder) -> Store:
        """`items[k] += e` of numbers: others hold the array that is there."""
        assert op.window is not None
        rank = len(
            shape_of(builder.held_value(op.base, key_of(op.base.kind, op.window)).kind) or ()
        )
        if rank != 1:
            self.fitted(op, rank - 1, builder)
            return op
        old = builder.load(op.base, op.window, op.index)
        sign = gast.Add() if op.sign == "+" else gast.Sub()
        total = builder.binary(sign, old, self.held(builder, op.value))
        made = Store([op.base, total, *op.index], [], op.window, op.origin)
        made.block, made.raises, made.reverse = builder.block, op.raises, True
        made.contexts = op.contexts
        return made

    def fitted(self, op: Access, rank: int | None, builder: Builder) -> None:
        """What is stored has the axes of the window."""
        if not isinstance(op, Store) or op.value.is_constant:
            return
        own = self.rank(op.value)
        if own != rank and (own is None or rank is None or own > rank):
            if self.has(op.value) or own != 0:
                raise Unbatched("a store of other axes")
        elif own is None:
            raise Unbatched("a store of other axes")
        op.operands[1] = self.aligned(builder, op.value, rank or 0)

    def is_lent(self, op: Load) -> bool:
        """Whether a number is a view of memory that changes, and is handed on: it is copied."""
        base, one = op.base, self.one(op.result)
        if is_container(base.kind) or not isinstance(one, Scalar) or not base.is_written:
            return False
        return not all(
            isinstance(user, Apply)
            and user.primitive.memory == "new"
            and user.primitive is not LISTING
            or isinstance(user, Store)
            and not is_container(user.base.kind)
            for user in self.users.get(op.result, ())
        )

    def on_Append(self, op: Append | Take, builder: Builder) -> None:
        if not self.has(op.base) or any(map(self.has, op.operands[2:])):
            raise Unbatched("a tangent that is stored where there is none")
        if isinstance(op, Append):
            op.operands[1] = self.held(builder, op.value)
        builder.block.operations.append(op)

    def on_Call(self, op: Call, builder: Builder) -> None:
        """The function that is called is one along several directions, too."""
        count = len(op.callee.parameters)
        dots = [self.held(builder, value) for value in op.operands[count:]]
        op.operands[count:] = dots
        if any(map(self.has, op.operands[:count])):
            raise Unbatched("a tangent as an argument")
        builder.block.operations.append(op)


HANDLERS: dict[type, Callable[..., None]] = {
    Apply: Several.on_Apply,
    **dict.fromkeys((Load, View, Store, Accumulate), Several.on_access),
    **dict.fromkeys((Append, Take), Several.on_Append),
    Call: Several.on_Call,
}


def leads(window: Window, index: list[Value]) -> bool:
    """Whether a window may have one more axis in front, with what it gives behind that: arrays
    that it is looked up with stand side by side.
    """
    looked: list[bool | None] = []
    for part in window.parts:
        kind = index[part.number].kind if isinstance(part, At) else None
        if isinstance(part, int) or isinstance(kind, Scalar) and kind.type == "int":
            looked.append(None)
        elif kind is None:
            looked.append(False)
        elif is_indices(kind):
            looked.append(True)
        else:
            return False
    if True not in looked:
        return True
    places = [k for k, own in enumerate(looked) if own is not False]
    return places[-1] - places[0] == len(places) - 1


def is_indices(kind: Kind) -> bool:
    """Whether what stands in brackets is an array or a list of places, or a mask."""
    if isinstance(kind, Record) and kind.cls is list:
        return all(isinstance(item, Scalar) or is_indices(item) for item in kind.items)
    if isinstance(kind, Sequence) and kind.cls is list:
        return isinstance(kind.item, Scalar)
    return isinstance(kind, Array) and len(kind.shape) > 0
