"""The adjoints of the operands of an operation, by the rule of its primitive or by a pullback.

The adjoints of what touches memory.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import gast

from autodiff.core import (
    WHOLE,
    Accumulate,
    Apply,
    Load,
    NotYet,
    Store,
    Value,
    View,
    Window,
    constant,
)
from autodiff.core.statements import Append, Take
from autodiff.dataflow.carrying import carries
from autodiff.dataflow.integers import least
from autodiff.instantiate.contribution import index_value
from autodiff.kinds.kind import Kind, Mapping, Numeric, Record, Scalar, is_number, number
from autodiff.lower.entries.entry import Entry, leaves, rebuilt
from autodiff.primitives import Application, Builder, hole, index_node, may_repeat, primitive_of
from autodiff.primitives.containing import is_container, window_at
from autodiff.primitives.untraced import no_rule
from autodiff.reversal import custom_rules, solved
from autodiff.reversal.choices import left_out, vanishes
from autodiff.reversal.contributions import Contributions
from autodiff.reversal.expansions import key_of
from autodiff.reversal.scope import Scope
from autodiff.reversal.template_rules import Bench, contributions, lowered
from autodiff.rules import registry
from autodiff.rules.template import Rule
from autodiff.runtime import stored
from autodiff.syntax.names import name

Added = tuple[Value, Value, bool, "tuple[Window, list[Value]] | None"]
"""An operand, what is added to its adjoint, whether that is new memory, and where it is added."""


class ByRule(Contributions):
    """Writes what rules say."""

    def by_rule(self, scope: Scope, op: Apply, seeds: dict[tuple[Any, ...], Value]) -> None:
        """What the rule of a primitive says. seeds: the adjoints of its results, by place."""
        rule = registry.rule_for(op.primitive.function, operands=len(op.application.arguments))
        if rule is None:
            raise no_rule(op.primitive.function, op.primitive.name)
        active = {v for v in op.operands if v in self.active and carries(v.kind)}
        since = len(scope.builder.block.operations)
        pending = self.expanded(scope, op, rule, seeds, active)
        swapped = left_out(scope.builder, since)
        pending = [(value, swapped.get(made, made), new, at) for value, made, new, at in pending]
        for value, made, _, _ in pending:
            self.unneeded.guard(scope.builder, value, made, since)
        if rule.elementwise and () in seeds:
            g, root = seeds[()], vanishes(op, seeds[()])
            gated = partial(self.gates.gated, scope.builder, g)
            pending = [(v, gated(made, since, root), new, at) for v, made, new, at in pending]
        for value, made, fresh, place in pending:
            if place is not None:
                scattered = may_repeat(place[1], place[0])
                self.add_window(scope, value, *place, made, scattered)
            else:
                self.add(scope, value, made, fresh)

    def expanded(
        self,
        scope: Scope,
        op: Apply,
        rule: Rule,
        seeds: dict[tuple[Any, ...], Value],
        active: set[Value],
    ) -> list[Added]:
        """The operations of a rule, and what is added to the active operands."""
        if rule.custom:
            g = self.whole(scope, op.result, seeds)
            calls = custom_rules.Calls(scope.builder, op, rule)
            side = custom_rules if rule.equation is None else solved
            y = self.as_born(op.result) if () in seeds else op.result
            return [(*each, False, None) for each in side.adjoints(calls, y, g, active)]
        one = op.result not in self.unit.results and () in seeds
        found = key_of(rule, op, seeds[()], active) if one else None
        known = self.expansions.known(found[0]) if found else None
        if found and known:
            return [(*each, None) for each in known.again(scope.builder, found[1])]
        since = len(scope.builder.block.operations)
        bench = Bench(self.unit, scope.builder, self.stable)
        bench.complex = self.precision.complex
        made = [
            (value, lowered(bench, each), each.fresh, self.place(bench, each.at))
            for value, each in contributions(bench, op, self.born(op), rule, seeds, active)
        ]
        if found and all(place is None for *_, place in made):
            new, ends = scope.builder.block.operations[since:], [each[:3] for each in made]
            self.expansions.keep(found[0], rule, found[1], new, ends)
        return made

    def whole(
        self,
        scope: Scope,
        value: Value,
        seeds: dict[tuple[Any, ...], Value],
        path: tuple[Any, ...] = (),
    ) -> Value:
        """The adjoint of a result, put together of those of its parts."""
        if path in seeds:
            return scope.full(value, seeds[path])
        if not isinstance(value.kind, Record):
            return scope.zero(value)
        if value.is_written:
            raise NotYet("a custom derivative of several results that change")
        items = [
            self.whole(scope, scope.builder.item(value, key, kind), seeds, (*path, key))
            for key, kind in zip(value.kind.keys, value.kind.items)
        ]
        return scope.builder.display(value.kind.cls, value.kind.keys, items)

    def born(self, op: Apply) -> Entry:
        """The result, or the parts of it, as before anybody wrote there."""
        whole = self.unit.results.get(op.result, op.result)
        return rebuilt(whole, iter([self.as_born(value) for value in leaves(whole)]))

    def as_born(self, result: Value) -> Value:
        """A load beside the operation that gives a value."""
        op = result.op
        if not result.is_written or op is None:
            return result
        block = op.block
        content = Value("", result.kind)
        load = Load([result], [content], None, op.origin)
        load.block = content.block = block
        load.number = op.number
        block.operations.insert(block.operations.index(op) + 1, load)
        function = self.unit.function
        if block is function.body and function.boundary is not None:
            function.boundary += 1
        return content

    def place(self, bench: Bench, at: gast.expr | None) -> tuple[Window, list[Value]] | None:
        """The window that a contribution is added to."""
        return None if at is None else bench.lowering.window(at)

    # What touches memory ------------------------------------------------------------------------

    def on_Store(self, op: Store, scope: Scope) -> None:
        if op.base not in self.active:
            return
        if op in self.replaced:
            scope.builder.put(self.of[op.base], self.replaced[op], op.window or WHOLE, op.index)
        if is_container(op.base.kind) and (op.value in self.of or not is_slot(op.value.kind)):
            return  # the shadow of what is put there is beside it
        shadow = self.of[op.base]
        g = self.stored(scope, op, shadow)
        g.kind = op.value.kind if op.alike else g.kind
        scope.builder.store(shadow, constant(0.0), op.window, op.index)
        self.gates.replace(shadow, op)
        self.add(scope, op.value, self.fitted(scope, op.value, g))

    def on_Accumulate(self, op: Accumulate, scope: Scope) -> None:
        if op.base not in self.active or op.value not in self.active:
            return
        shadow = self.of[op.base]
        if not op.scattered and may_repeat(op.index, op.window):
            raise NotYet("an update by an index that may repeat")
        g = self.fitted(scope, op.value, self.window_of(scope, shadow, op))
        self.add(scope, op.value, scope.builder.unary(gast.USub(), g) if op.sign == "-" else g)

    def window_of(self, scope: Scope, shadow: Value, op: Store) -> Value:
        """The adjoint of what a write touches."""
        if op.window is None:
            return scope.builder.load(shadow)
        return scope.builder.load(shadow, op.window, op.index)

    def stored(self, scope: Scope, op: Store, shadow: Value) -> Value:
        """The adjoint of what is stored: zero where a later value went to the same place."""
        if op.window is None or not may_repeat(op.index, op.window):
            return self.window_of(scope, shadow, op)
        index = index_value(index_node(op.window, [hole(k + 1) for k in range(len(op.index))]))
        own = name(self.unit.references.use("stored", stored))
        form = gast.Call(func=own, args=[hole(0), index], keywords=[])
        return scope.builder.apply(
            primitive_of(stored),
            Application((hole(0), index)),
            form,
            [scope.builder.load(shadow), *op.index],
            scope.builder.part(shadow, op.window, op.index),
        )

    def on_Append(self, op: Append, scope: Scope) -> None:
        if op.base not in self.active:
            return
        shadow = self.of[op.base]
        g = scope.builder.take(shadow, inserted_at(scope.builder, shadow, op.place))
        if op.value not in self.of:
            self.add(scope, op.value, g)

    def on_Take(self, op: Take, scope: Scope) -> None:
        if op.base not in self.active:
            return
        shadow = self.of[op.base]
        g = self.of.get(op.result) or scope.bars.pop(op.result, None) or constant(0.0)
        self.gates.close(shadow, scope.builder.block, True)
        if isinstance(op.base.kind, Mapping):
            assert op.place is not None
            scope.builder.put(shadow, g, *window_at(op.place))
        else:
            scope.builder.append(shadow, g, taken_from(scope.builder, shadow, op.place))

    def on_Load(self, op: Load, scope: Scope) -> None:
        result = op.result
        if result not in self.active or op.base not in self.active:
            return
        if is_container(op.base.kind):
            self.from_list(op, scope)
            return
        g = self.take(scope, result)
        if g is None:
            return
        if op.window is None:
            self.add(scope, op.base, g)
        elif isinstance(op.base.kind, Scalar):
            self.add(scope, op.base, self.fitted(scope, op.base, g))
        else:
            self.add_window(scope, op.base, op.window, op.index, g, self.scattered(op))

    def from_list(self, op: Load, scope: Scope) -> None:
        """An item of a list, or what all of it holds: its adjoint is added to the shadow list."""
        if op.result in self.of and op.window is not None:
            return  # an array: its shadow is that of the list
        if op.window is None:
            parts = scope.listed.pop(op.result, [])
            own = self.of.get(op.result)
            if own is not None and not isinstance(own.op, Load):  # not those that the list has
                parts = [own]
            for part in parts:
                self.add_items(scope, op.base, part)
            return
        g = scope.bars.pop(op.result, None)
        if g is not None:
            self.gates.close(self.of[op.base], scope.builder.block, True)
            self.add_item(scope, self.of[op.base], g, op)

    def add_item(self, scope: Scope, shadow: Value, g: Value, op: Load) -> None:
        """To a number in place; what may be an array there is somebody else's, too."""
        if not isinstance(op.result.kind, Numeric):
            scope.builder.accumulate(shadow, g, op.window, op.index)
            return
        assert op.window is not None
        old = scope.builder.load(shadow, op.window, op.index)
        total = scope.builder.binary(gast.Add(), old, g)
        scope.builder.put(shadow, total, op.window, op.index)

    def scattered(self, op: Load) -> bool:
        """Whether places may occur several times in a window."""
        return may_repeat(op.index, op.window)

    def on_View(self, op: View, scope: Scope) -> None:
        if op.result in self.of or op.result not in self.active:
            return
        g = self.take(scope, op.result)
        if g is not None:
            self.add_window(scope, op.base, op.window, op.index, g)


def is_slot(kind: Kind) -> bool:
    """Whether the adjoint of an item is in its place in the shadow, and not memory of its own."""
    return is_number(kind) or isinstance(kind, Numeric)


def inserted_at(builder: Builder, items: Value, place: Value | None) -> Value | None:
    """Where something is now that was inserted there: `insert` takes any number."""
    if place is None or place.constant == 0:
        return place
    lowest = least(place)
    known = lowest is not None and lowest >= 0
    text = "min(_1, len(_0) - 1)" if known else "len(range(len(_0) - 1)[:_1])"
    return builder.look(text, number("int"), items, place)


def taken_from(builder: Builder, items: Value, place: Value | None) -> Value | None:
    """Where something was that was taken from there: `pop` counts from the end as well."""
    lowest = None if place is None else least(place)
    if place is None or place.constant == -1:
        return None
    if lowest is not None and lowest >= 0:
        return place
    return builder.look("_1 % (len(_0) + 1)", number("int"), items, place)
