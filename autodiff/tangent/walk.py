"""Each operation with its tangent beside it, from the first on.

    y = x * w           y_dot = x_dot * w + w_dot * x
                        y = x * w

A value that carries a derivative has a tangent of its form. Whoever changes memory changes the
tangent of that: it is a shadow, made where the memory is made, which lies as that does, and views
of the memory are views of the shadow. So tangents share memory as their values do, and blocks carry
and join tangents beside values. A tangent that is zero is not there, until a block asks for it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autodiff.analysis.kind import Array, Kind, Scalar, Static, Text, is_inexact
from autodiff.core.notyet import NotYet
from autodiff.core.operation import (
    Accumulate,
    Apply,
    Block,
    For,
    If,
    Load,
    LoadOuter,
    Loop,
    Operation,
    Store,
    View,
)
from autodiff.core.statements import Append, Ask, Call, Take, Try, While
from autodiff.core.value import NOTHING, Value, constant, nothing
from autodiff.dataflow.activity import Activity, carries
from autodiff.emit.names import hint
from autodiff.lower.flow.frame import Unit
from autodiff.primitives.builder import Builder
from autodiff.primitives.containing import is_container
from autodiff.primitives.containing import key_of as held_at
from autodiff.primitives.lending import is_by_form, lent
from autodiff.primitives.table import BOUND, DISPLAY, ITEM, KEYING, LISTING, key_of
from autodiff.reversal.shadows import Shadows, zeros
from autodiff.rules import registry
from autodiff.runtime import replica, shadow_of, tangent_of, zeros_like
from autodiff.tangent.rules import (
    Use,
    again,
    covers,
    elementwise,
    is_linear,
    is_pointwise,
    product,
)
from autodiff.tangent.transposed import transposed


class Tangents(Shadows):
    """Writes them; `of` gives the tangent of a value."""

    suffix = "dot"

    def __init__(self, unit: Unit, active: Activity, complex_: bool) -> None:
        super().__init__(active, unit.references, unit.function.laid_out)
        self.unit, self.complex = unit, complex_
        self.since = 0  # where the operations begin that stand beside the one that is looked at

    def block(self, block: Block) -> None:
        """The tangents of a block: each before its value, unless it reads that. What the test of a
        loop computes has its tangents behind that.
        """
        operations, block.operations = block.operations, []
        asks = next((k for k, op in enumerate(operations) if isinstance(op, Ask)), 0)
        quiet = not any(e.what == "write" for op in operations[:asks] for e in op.effects())
        late: list[Operation] = []
        for k, op in enumerate(operations):
            start = self.since = len(block.operations)
            builder = Builder(block, self.references, op.origin, reverse=True)
            builder.contexts = op.contexts
            handler = HANDLERS.get(type(op))
            if any(self.shadowed(v) and v not in self.of for v in op.operands):
                raise NotYet("memory that changes, and has no tangent")
            if handler is not None:
                handler(self, op, builder)
            made = block.operations[start:]
            for each in made:
                each.shadow = True
            del block.operations[start:]
            if quiet and k < asks:
                late += made
                made = []
            behind = any(v in op.results for each in made for v in each.operands)
            block.operations += [op, *made] if behind else [*made, op]
            if k == asks and late:
                block.operations += late
                late = []

    # Values ------------------------------------------------------------------------------------

    def become(
        self, builder: Builder, value: Value, dot: Value | None, covering: bool = True
    ) -> None:
        """A value has a tangent; None stands for zero, of memory that changes for zeros. covering:
        it is known to have the shape of the value.
        """
        if not self.shadowed(value):
            if dot is not None:
                dot = self.formed(builder, value, dot, covering)
                if dot.op is not None and dot.op.block is builder.block and not dot.hint:
                    dot.hint, dot.named = f"{hint(value)}_dot", value.named
                self.of[value] = dot
            return
        if dot is None:
            made = self.zero(builder, value)
        else:
            made = self.owned(builder, value, dot, covering)
        made.named = value.named
        self.know(value, made)

    def formed(self, builder: Builder, value: Value, dot: Value, covering: bool) -> Value:
        """A tangent in the form of its value."""
        if covering or isinstance(value.kind, Scalar) or is_same(dot.kind, value.kind):
            return dot
        return builder.call("tangent_of", tangent_of, dot, value, kind=value.kind)

    def owned(self, builder: Builder, value: Value, dot: Value, covering: bool) -> Value:
        """A tangent as memory of its own, which lies in memory as its value does."""
        own, kind = dot.kind, value.kind
        typed = isinstance(own, Array) and isinstance(kind, Array) and own.dtype == kind.dtype
        typed = typed and is_inexact(own) and (covering or is_same(own, kind))
        if not typed or self.laid_out:
            return builder.call("tangent_of", tangent_of, dot, value, kind=kind)
        made = dot.op
        if isinstance(made, Apply) and made.primitive.memory == "new":
            if made.block is builder.block and made not in builder.block.operations[: self.since]:
                return dot
        return builder.call(".copy", np.copy, dot, kind=kind)

    def zero(self, builder: Builder, value: Value) -> Value:
        """The zero tangent of a value."""
        if value.constant is NOTHING:
            return nothing(f"{value.hint}_dot")
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

    # Applications ------------------------------------------------------------------------------

    def on_Apply(self, op: Apply, builder: Builder) -> None:
        result = op.result
        if any(op.operands[k] in self.active for k in op.changes):
            raise NotYet(f"{op.primitive.name} changes what carries a derivative")
        if result not in self.active and not self.is_whole(op):
            return
        dots = {value: self.of[value] for value in op.operands if value in self.of}
        place = lent(op) if self.shadowed(result) else None
        if op.primitive is LISTING:
            self.know(result, self.listing(op, builder))
        elif op.primitive is KEYING:
            raise NotYet("a key that carries a derivative")
        elif op.primitive is ITEM and not dots and op.operands[0] in self.unit.results:
            self.one_of(op, builder)
        elif place is not None:
            self.lend(result, self.lent(op, place, builder))
        elif not dots or registry.is_nondifferentiable(op.primitive.function):
            self.become(builder, result, None)
        elif op.primitive is ITEM:
            self.lend(result, builder.item(dots[op.operands[0]], key_of(op), result.kind))
        elif op.primitive is DISPLAY:
            dotted = [self.dot(builder, value) for value in op.operands]
            own = op.primitive, op.application, op.form
            self.of[result] = builder.apply(*own, dotted, result.kind)
        elif op.primitive.memory == "view":
            if op.operands[0] in dots:
                operands = [dots[op.operands[0]], *op.operands[1:]]
                own = op.primitive, op.application, op.form
                self.lend(result, builder.apply(*own, operands, result.kind))
        elif op.primitive.memory == "unknown" and result.is_written:
            raise NotYet(f"memory that changes is given to {op.primitive.name}")
        elif op.primitive.function is replica:
            self.become(builder, result, dots[op.operands[0]])
        else:
            self.by_rule(op, builder, dots)

    def is_whole(self, op: Apply) -> bool:
        """Whether an operation hands on an argument that has parts with tangents, or puts such
        together.
        """
        return (
            op.primitive in (ITEM, BOUND) and op.operands[0] in self.of and carries(op.result.kind)
        )

    def lend(self, value: Value, dot: Value) -> None:
        """A value that is memory of another has a tangent that is memory of that one's."""
        if self.shadowed(value):
            self.know(value, dot)
        else:
            self.of[value] = dot

    def lent(self, op: Apply, place: int, builder: Builder) -> Value:
        """The tangent of what may be a view, where the value is one."""
        given, operands = op.operands[place], list(op.operands)
        if is_by_form(op):
            operands[place] = self.of[given]
            own = op.primitive, op.application, op.form
            return builder.apply(*own, operands, op.result.kind)
        operands = [op.result, given, self.of[given]]
        return builder.call("shadow_of", shadow_of, *operands, kind=op.result.kind)

    def one_of(self, op: Apply, builder: Builder) -> None:
        """The tangent of one of several results is asked for by itself."""
        whole, part = op.operands[0], op.result
        source, content = whole.op, self.unit.results[whole]
        assert isinstance(source, Apply)
        dots = {value: self.of[value] for value in source.operands if value in self.of}
        found = None
        if dots and not registry.is_nondifferentiable(source.primitive.function):
            found = transposed(self.use(source, builder, dots), content, part, (key_of(op),))
        self.become(builder, part, found)

    def use(self, op: Apply, builder: Builder, dots: dict[Value, Value]) -> Use:
        """An operation and its rule."""
        rule = registry.rule_for(op.primitive.function, operands=len(op.application.arguments))
        if rule is None:
            raise NotYet(f"no rule for {op.primitive.name}")
        if rule.custom or rule.narrowed is not None:
            raise NotYet("a custom derivative")
        return Use(self.unit, builder, op, rule, dots, self.complex)

    def by_rule(self, op: Apply, builder: Builder, dots: dict[Value, Value]) -> None:
        """The tangent as the rule of the primitive says."""
        use, result = self.use(op, builder, dots), op.result
        if result in self.unit.results:
            return  # its parts are asked for by themselves
        if is_pointwise(use):
            dot = elementwise(use)
            self.become(builder, result, dot, dot is None or covers(use, dot, self.since))
        elif is_linear(use):
            swapped = {k: self.laid(use, k) for k in use.replaced}
            self.become(builder, result, again(use, swapped, result.kind))
        else:
            found = product(use) if use.rule.multilinear else None
            self.become(builder, result, found or transposed(use, result, result))

    def laid(self, use: Use, k: int) -> Value:
        """The tangent of an operand; as that lies in memory, where the operation asks for it."""
        value = use.op.operands[k]
        dot = self.dot(use.builder, value)
        if asks_order(use.op) and not dot.is_constant:
            return use.builder.call("tangent_of", tangent_of, dot, value, kind=value.kind)
        return dot

    # Memory ------------------------------------------------------------------------------------

    def on_Load(self, op: Load, builder: Builder) -> None:
        base = self.of.get(op.base)
        if op.result not in self.active or base is None:
            return
        made = builder.load(base, op.window, op.index)
        if is_container(op.base.kind):
            self.taken(op.result, made)
        else:
            self.become_part(op.result, made)

    def become_part(self, value: Value, made: Value) -> None:
        """What is loaded of an array has a tangent that is loaded of the shadow."""
        if self.shadowed(value) and not is_container(value.kind):
            self.know(value, made)
        else:
            self.of[value] = made
        made.hint = made.hint or f"{hint(value)}_dot"
        made.named = value.named

    def taken(self, value: Value, made: Value) -> None:
        """The tangent of what a container holds."""
        if self.shadowed(value):
            self.know(value, made)
        else:
            made.kind, made.hint = value.kind, f"{hint(value)}_dot"
            self.of[value] = made
        made.named = value.named

    def on_LoadOuter(self, op: LoadOuter, builder: Builder) -> None:
        """What is outside has a tangent once the function has stored something there."""
        if self.shadowed(op.result):
            if any(value.region is op.result.region for value in self.of):
                raise NotYet("memory of outside that is read by two names")
            self.become(builder, op.result, None)

    def on_View(self, op: View, builder: Builder) -> None:
        base = self.of.get(op.base)
        if op.result in self.active and base is not None:
            assert op.window is not None
            self.lend(op.result, builder.view(base, op.window, op.index))

    def on_Store(self, op: Store, builder: Builder) -> None:
        base = self.of.get(op.base)
        if op.base not in self.active or base is None:
            return
        dot = self.of.get(op.value, constant(0.0))
        if is_container(op.base.kind):
            assert op.window is not None
            builder.put(base, self.dot(builder, op.value), op.window, op.index)
            self.note(base, held_at(base.kind, op.window), op.value)
        else:
            builder.store(base, dot, op.window, op.index)

    def on_Accumulate(self, op: Accumulate, builder: Builder) -> None:
        base, dot = self.of.get(op.base), self.of.get(op.value)
        if op.base in self.active and base is not None and dot is not None:
            builder.accumulate(base, dot, op.window, op.index, op.sign, op.scattered)

    def on_Append(self, op: Append, builder: Builder) -> None:
        if self.shadowed(op.base):
            self.beside(op, builder)

    def on_Take(self, op: Take, builder: Builder) -> None:
        if self.shadowed(op.base):
            self.taken(op.result, builder.take(self.of[op.base], op.place))

    # Blocks ------------------------------------------------------------------------------------

    def on_Loop(self, op: Loop, builder: Builder) -> None:
        groups = [g for g in op.groups if g[1] in self.active]
        for _, parameter, _, _ in groups:
            self.joins(parameter)
        self.block(op.body)
        ending = Builder(op.body, self.references, op.origin, reverse=True)
        for init, parameter, following, result in groups:
            start, end = self.dot(builder, init), self.ends_as(op.body, ending, following)
            op.carry(start, self.of[parameter], end, self.joins(result))

    def joins(self, value: Value) -> Value:
        """The tangent of what is carried or joined."""
        if self.shadowed(value):
            made = self.bar(value)
            made.named = value.named
            return made
        made = Value(f"{hint(value)}_dot", value.kind, named=value.named)
        made.partial = value.partial
        self.of[value] = made
        return made

    def ends_as(self, block: Block, builder: Builder, value: Value) -> Value:
        """The tangent with which a block ends."""
        since = len(block.operations)
        found = self.dot(builder, value)
        for each in block.operations[since:]:
            each.shadow = True
        return found

    def on_If(self, op: If, builder: Builder) -> None:
        for block in op.blocks:
            self.block(block)
        ending = [Builder(b, self.references, op.origin, reverse=True) for b in op.blocks]
        for first, second, result in op.groups:
            if result in self.active and (first in self.of or second in self.of):
                one = self.ends_as(op.blocks[0], ending[0], first)
                two = self.ends_as(op.blocks[1], ending[1], second)
                op.merge(one, two, self.joins(result))

    def on_Try(self, op: Try, builder: Builder) -> None:
        self.on_If(op, builder)
        made = [each for each in op.body.walk() if each.shadow and isinstance(each, Apply)]
        if any(each.raises and each.primitive.partial for each in made):
            raise NotYet("a tangent that may raise an error that is caught")

    def on_Call(self, op: Call, builder: Builder) -> None:
        """`y, y_dot = f_jvp(x, x_dot)`."""
        active = [k for k, value in enumerate(op.operands) if value in self.of]
        [result] = op.results
        if result not in self.active or not active:
            return
        op.variant = self.unit.compile(op.callee, tuple(active))
        op.operands += [self.of[op.operands[k]] for k in active]
        made = Value(f"{hint(result)}_dot", result.kind, named=result.named)
        made.op, made.block = op, op.block
        op.results.append(made)
        self.of[result] = made
        if self.shadowed(result):
            self.know(result, made)


HANDLERS: dict[type, Callable[..., None]] = {
    Apply: Tangents.on_Apply,
    Load: Tangents.on_Load,
    LoadOuter: Tangents.on_LoadOuter,
    View: Tangents.on_View,
    Store: Tangents.on_Store,
    Accumulate: Tangents.on_Accumulate,
    Append: Tangents.on_Append,
    Take: Tangents.on_Take,
    For: Tangents.on_Loop,
    While: Tangents.on_Loop,
    If: Tangents.on_If,
    Try: Tangents.on_Try,
    Call: Tangents.on_Call,
}
"""What has no handler has no tangent: it gives nothing that carries a derivative."""


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


def asks_order(op: Apply) -> bool:
    """Whether what an operation gives depends on how its operand lies in memory."""
    if op.primitive.function is np.lib.stride_tricks.as_strided:
        return True
    order = dict(op.application.keywords).get("order")
    return order is not None and getattr(order, "value", "K") not in (None, "C", "F", "c", "f")
