"""The reverse sweep: each operation, from the last to the first, adds to the adjoints of its
operands.
"""

from __future__ import annotations

import operator
from typing import Any

import gast
import numpy as np

from autodiff.analysis.kind import Array, Record, Scalar, Sequence, Static, number
from autodiff.core.calls import Call
from autodiff.core.function import replaced
from autodiff.core.leaving import While
from autodiff.core.notyet import NotYet
from autodiff.core.operation import (
    Accumulate,
    Append,
    Apply,
    If,
    Load,
    Loop,
    Operation,
    Store,
    Take,
    View,
)
from autodiff.core.value import Value, constant
from autodiff.core.window import Window
from autodiff.emit.names import hint
from autodiff.lower.frame import Unit
from autodiff.primitives.builder import Builder
from autodiff.primitives.form import hole
from autodiff.primitives.primitive import Application
from autodiff.primitives.table import BOUND, DISPLAY, ITEM, LISTING, SYNTAX
from autodiff.reversal.activity import Activity, carries
from autodiff.reversal.calls import pulled_back
from autodiff.reversal.gates import Gates
from autodiff.reversal.rules import Bench, contributions
from autodiff.reversal.scope import Scope
from autodiff.reversal.shadows import Shadows
from autodiff.reversal.trips import mirrored
from autodiff.rules import registry
from autodiff.runtime.adding import add_items


class Sweep:
    """Writes the reverse sweep of a function whose shadows are made."""

    def __init__(self, unit: Unit, active: Activity, shadows: Shadows) -> None:
        self.unit, self.active, self.of = unit, active, shadows.of
        self.gates = Gates()
        self.stable = [v for v in unit.function.body.parameters if isinstance(v.kind, Array)]

    def block(self, scope: Scope, operations: list[Operation]) -> None:
        """The adjoints of operations in a row."""
        for op in reversed(operations):
            if op.shadow:
                continue
            scope.builder.origin, scope.builder.source = op.origin, op
            handler = getattr(self, f"on_{type(op).__name__}", None)
            if handler is not None:
                handler(op, scope)

    # Adding to adjoints ------------------------------------------------------------------------

    def take(self, scope: Scope, value: Value) -> Value | None:
        """The adjoint of a value, which is complete here."""
        if value in self.of:
            found = scope.builder.load(self.of[value])
            return found
        return scope.bars.pop(value, None)

    def add(self, scope: Scope, value: Value, g: Value | None, fresh: bool = False) -> None:
        """One more contribution."""
        if g is None or value not in self.active:
            return
        outer = isinstance(value.kind, Array) and scope.owner(value) is not scope
        if value in self.of or outer and not value.partial:
            self.add_window(scope, value, None, [], g)
            return
        old = scope.current(value)
        if old is not None and old in scope.owned:
            self.add_window(scope, value, None, [], g)
        elif old is None or old.is_constant and old.constant == 0.0:
            scope.bars[value] = g
            if not g.named and g.op is not None and g.op.reverse and not g.hint:
                g.hint = f"{hint(value)}_bar"
        else:
            minus = negated(g)
            operator = gast.Add() if minus is None else gast.Sub()
            scope.bars[value] = scope.builder.binary(
                operator, old, g if minus is None else minus, f"{hint(value)}_bar"
            )

    def add_window(
        self,
        scope: Scope,
        value: Value,
        window: Window | None,
        index: list[Value],
        g: Value | None,
        scattered: bool = False,
    ) -> None:
        """`value_bar[window] += g`, in the shadow or in a buffer of our own."""
        if g is None or value not in self.active:
            return
        target = self.of[value] if value in self.of else scope.owner(value).buffer(value)
        if window is not None:
            self.gates.close(target)
        minus = negated(g)
        if minus is None and not scattered and self.cleared(scope, target, window, index):
            scope.builder.store(target, g, window, index)
            return
        sign = "+" if minus is None else "-"
        scope.builder.accumulate(
            target, g if minus is None else minus, window, index, sign, scattered
        )

    def cleared(
        self, scope: Scope, target: Value, window: Window | None, index: list[Value]
    ) -> bool:
        """Whether the window was set to zero just before: then a store does both."""
        operations = scope.builder.block.operations
        for op in reversed(operations):
            if not op.reverse or op.blocks:
                return False
            if (
                isinstance(op, Store)
                and not isinstance(op, Accumulate)
                and op.base is target
                and op.window == window
            ):
                if op.index == index and op.value.is_constant and op.value.constant == 0.0:
                    operations.remove(op)
                    return True
            if isinstance(op, (Store, Load, View)):
                return False
        return False

    # Operations --------------------------------------------------------------------------------

    def on_Store(self, op: Store, scope: Scope) -> None:
        if op.base not in self.active:
            return
        shadow = self.of[op.base]
        if any(map(may_repeat, op.index)):
            raise NotYet("an active store by an index that copies")
        g = (
            scope.builder.load(shadow, op.window, op.index)
            if op.window
            else scope.builder.load(shadow)
        )
        scope.builder.store(shadow, constant(0.0), op.window, op.index)
        self.gates.close(shadow)
        self.add(scope, op.value, self.fitted(scope, op.value, g))

    def on_Accumulate(self, op: Accumulate, scope: Scope) -> None:
        if op.base not in self.active or op.value not in self.active:
            return
        shadow = self.of[op.base]
        if any(map(may_repeat, op.index)):
            raise NotYet("an active store by an index that copies")
        g = (
            scope.builder.load(shadow, op.window, op.index)
            if op.window
            else scope.builder.load(shadow)
        )
        g = self.fitted(scope, op.value, g)
        self.add(scope, op.value, scope.builder.unary(gast.USub(), g) if op.sign == "-" else g)

    def fitted(self, scope: Scope, value: Value, g: Value) -> Value:
        """An adjoint of what was broadcast into a window, summed to the shape of the value."""
        if isinstance(value.kind, Scalar) and isinstance(g.kind, Scalar):
            return g
        if isinstance(value.kind, Scalar) and isinstance(g.kind, Array):
            import numpy as np  # noqa: PLC0415

            return scope.builder.call("np.sum", np.sum, g, kind=number("float", "float64"))
        if (
            isinstance(value.kind, Array)
            and isinstance(g.kind, Array)
            and value.kind.shape == g.kind.shape
        ):
            if None not in g.kind.shape:
                return g
        from autodiff.runtime import unbroadcast  # noqa: PLC0415

        return scope.builder.call("unbroadcast", unbroadcast, g, value, kind=value.kind)

    def on_Call(self, op: Call, scope: Scope) -> None:
        pulled_back(self, op, scope)

    def on_Append(self, op: Append, scope: Scope) -> None:
        if op.base not in self.active:
            return
        g = scope.builder.take(self.of[op.base])
        if op.value not in self.of:
            self.add(scope, op.value, g)

    def on_Take(self, op: Take, scope: Scope) -> None:
        if op.base not in self.active:
            return
        if op.result in self.of:
            scope.builder.append(self.of[op.base], self.of[op.result])
            return
        g = scope.bars.pop(op.result, None)
        scope.builder.append(self.of[op.base], constant(0.0) if g is None else g)

    def on_Load(self, op: Load, scope: Scope) -> None:
        result = op.result
        if result not in self.active or op.base not in self.active:
            return
        if isinstance(op.base.kind, Sequence):
            self.from_list(op, scope)
            return
        g = self.take(scope, result)
        if g is None:
            return
        if op.window is None:
            self.add(scope, op.base, g)
        else:
            self.add_window(scope, op.base, op.window, op.index, g, self.scattered(op))

    def from_list(self, op: Load, scope: Scope) -> None:
        """An item of a list, or what all of it holds: its adjoint is added to the shadow list."""
        if op.result in self.of and op.window is not None:
            return  # an array: its shadow is that of the list
        g = scope.bars.pop(op.result, None)
        if g is None:
            return
        shadow = self.of[op.base]
        if op.window is not None:
            scope.builder.accumulate(shadow, g, op.window, op.index)
            return
        scope.builder.call("add_items", add_items, shadow, g, kind=Static(None))

    def scattered(self, op: Load) -> bool:
        """Whether places may occur several times in a window."""
        return any(may_repeat(v) for v in op.index)

    def on_View(self, op: View, scope: Scope) -> None:
        if op.result in self.of or op.result not in self.active:
            return
        g = self.take(scope, op.result)
        if g is not None:
            self.add_window(scope, op.base, op.window, op.index, g)

    def on_Apply(self, op: Apply, scope: Scope) -> None:
        result = op.result
        if result not in self.active or not any(v in self.active for v in op.operands):
            return
        if op.primitive.memory == "view" and result in self.of:
            return
        if registry.is_nondifferentiable(
            op.primitive.function
        ):  # new memory, to which something active is joined
            return
        if op.primitive is ITEM and op in self.unit.entry:
            return
        if op.primitive is LISTING:
            for k, value in enumerate(op.operands):
                if value not in self.of:
                    self.add(scope, value, scope.builder.load(self.of[result], Window((k,))))
            return
        if op.primitive in (SYNTAX, ITEM):
            if scope.current(result) is None:
                return
            raise NotYet(f"a derivative through an {op.primitive.name}")
        g = self.take(scope, result)
        if g is None:
            return
        if op.primitive is BOUND:
            self.add(scope, op.operands[0], g)
            return
        if op.primitive is DISPLAY:
            self.displayed(op, scope, g)
            return
        rule = registry.rule_for(op.primitive.function, operands=len(op.application.arguments))
        if rule is None:
            raise NotYet(f"no rule for {op.primitive.name}")
        active = {v for v in op.operands if v in self.active and carries(v.kind)}
        bench = Bench(self.unit, scope.builder, self.stable)
        since = len(scope.builder.block.operations)
        pending = [
            (value, self.lowered(bench, each.value), each, self.place(bench, each.at))
            for value, each in contributions(bench, op, self.born(op), rule, g, active)
        ]
        if rule.elementwise:
            gated = self.gates.gated
            pending = [
                (value, gated(scope.builder, g, made, since), each, place)
                for value, made, each, place in pending
            ]
        for value, made, each, place in pending:
            if place is not None:
                scattered = any(map(may_repeat, place[1]))
                self.add_window(scope, value, *place, made, scattered)
            else:
                self.add(scope, value, made, each.fresh)

    def born(self, op: Apply) -> Value:
        """The result as it was before anybody wrote there: a load beside its operation."""
        result, block = op.result, op.block
        if result.region is None or not result.region.written or block is None:
            return result
        content = Value("", result.kind)
        load = Load([result], [content], None, op.origin)
        load.block = content.block = block
        load.number = op.number
        block.operations.insert(block.operations.index(op) + 1, load)
        function = self.unit.function
        if block is function.body and function.boundary is not None:
            function.boundary += 1
        return content

    def lowered(self, bench: Bench, node: gast.expr) -> Value:
        """A contribution as a value."""
        return bench.lowering.content(node)

    def place(self, bench: Bench, at: gast.expr | None) -> tuple[Window, list[Value]] | None:
        """The window that a contribution is added to."""
        return None if at is None else bench.lowering.window(at)

    def displayed(self, op: Apply, scope: Scope, g: Value) -> None:
        """The adjoint of a list or tuple, taken apart."""
        kind = op.result.kind
        assert isinstance(kind, Record)
        for key, value in zip(kind.keys, op.operands):
            if value not in self.active:
                continue
            if isinstance(g.kind, Array):
                part = scope.builder.load(g, Window((key,)), [])
                self.add(scope, value, self.fitted(scope, value, part))
                continue
            form = gast.Subscript(
                value=hole(0), slice=gast.Constant(value=key, kind=None), ctx=gast.Load()
            )
            made = scope.builder.apply(ITEM, Application((hole(0),)), form, [g], value.kind)
            self.add(scope, value, made)

    def on_While(self, op: While, scope: Scope) -> None:
        self.on_For(op, scope)

    def on_For(self, op: Loop, scope: Scope) -> None:
        loop = mirrored(op, scope.builder)
        child = Scope(scope, op.body, scope.builder.inside(loop.body), loop)
        carried = []
        for init, parameter, following, result in zip(
            op.inits, op.carried, op.body.results, op.results
        ):
            if parameter in self.active and parameter not in self.of:
                bar = Value(f"{hint(parameter)}_bar", parameter.kind, named=True)
                bar.block = loop.body
                carried.append((scope.full(result, self.take(scope, result)), bar, init, parameter))
                self.add(child, following, child.passed(parameter, following, bar))
        self.block(child, op.body.operations)
        ends = []
        for start, bar, init, parameter in carried:
            child.builder.origin, child.builder.source = op.origin, op
            following = child.full(parameter, self.take(child, parameter))
            if following is bar:  # the loop adds to it, as in `s += ...`: its adjoint stays
                replaced(loop.body, bar, start)
                for value, adjoint in child.bars.items():
                    child.bars[value] = start if adjoint is bar else adjoint
                ends.append((init, start))
            else:
                loop.carry(start, bar, following, Value(bar.hint, bar.kind, named=True))
                ends.append((init, loop.results[-1]))
        for value, (start, parameter) in child.entered.items():
            result = Value(parameter.hint, parameter.kind, named=True)
            loop.carry(start, parameter, child.bars[value], result)
            scope.bars[value] = loop.results[-1]
        scope.builder.origin, scope.builder.source = op.origin, op
        scope.builder.add(loop)
        for init, result in ends:
            self.add(scope, init, result)

    def on_If(self, op: If, scope: Scope) -> None:
        branch = If(op.test, op.origin)
        branch.mirror = op
        children = [
            Scope(scope, f, scope.builder.inside(r)) for f, r in zip(op.blocks, branch.blocks)
        ]
        for first, second, result in zip(op.blocks[0].results, op.blocks[1].results, op.results):
            if result in self.active and result not in self.of:
                g = self.take(scope, result)
                if g is not None:
                    g = scope.full(result, g)
                    for child, value in zip(children, (first, second)):
                        if value in self.active:
                            self.add(child, value, child.passed(result, value, g))
        for child in children:
            self.block(child, child.forward.operations)
        for value in dict.fromkeys([*children[0].bars, *children[1].bars]):
            if value.block in op.blocks:
                continue
            ends = []
            for child in children:
                own = child.bars.get(value)
                own = scope.current(value) if own is None else own
                ends.append(scope.zero(value) if own is None else own)
            if isinstance(value.kind, Array):
                ends = [child.full(value, end) for child, end in zip(children, ends)]
            if is_same(*ends):
                scope.bars[value] = ends[0]
                continue
            result = Value(f"{hint(value)}_bar", value.kind, named=True)
            branch.merge(ends[0], ends[1], result)
            scope.bars[value] = result
            scope.owned.discard(result)
        scope.builder.origin, scope.builder.source = op.origin, op
        scope.builder.add(branch)


def is_same(one: Value, other: Value) -> bool:
    """Whether both are one value, or equal constants."""
    return one is other or one.is_constant and other.is_constant and one.constant == other.constant


def may_repeat(index: Value) -> bool:
    """Whether an operand of a window may name a place several times: numbers in an array do."""
    if isinstance(index.kind, Array):
        return index.kind.dtype != "bool"
    return isinstance(index.kind, (Record, Sequence))


def negated(g: Value) -> Value | None:
    """What a value is the negative of, if the reverse sweep made it so."""
    op = g.op
    if (
        isinstance(op, Apply)
        and op.reverse
        and isinstance(op.form, gast.UnaryOp)
        and isinstance(op.form.op, gast.USub)
    ):
        if op.primitive.function in (operator.neg, np.negative):
            return op.operands[0]
    return None


def builder_of(unit: Unit) -> Builder:
    """The builder of the reverse sweep."""
    return Builder(unit.function.body, unit.references, reverse=True)


__all__ = ["Any", "Sweep", "builder_of"]
