"""The adjoints of the operands of an operation, by the rule of its primitive or by a pullback."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from autodiff.analysis.kind import Text
from autodiff.core.notyet import NotYet
from autodiff.core.operation import Apply, Load
from autodiff.core.statements import Call, Pullback
from autodiff.core.value import Value
from autodiff.core.window import Window
from autodiff.dataflow.activity import carries
from autodiff.dataflow.settle import is_version
from autodiff.emit.names import hint
from autodiff.lower.entries.entry import Entry, leaves, rebuilt
from autodiff.primitives.builder import Builder
from autodiff.primitives.repeated import may_repeat
from autodiff.reversal.accesses import Accesses
from autodiff.reversal.choices import left_out
from autodiff.reversal.expansions import key_of
from autodiff.reversal.rules import Bench, contributions
from autodiff.reversal.scope import Scope
from autodiff.reversal.singular import vanishes
from autodiff.rules import registry
from autodiff.rules.template import Rule

if TYPE_CHECKING:
    from autodiff.reversal.sweep import Sweep

Added = tuple[Value, Value, bool, "tuple[Window, list[Value]] | None"]
"""An operand, what is added to its adjoint, whether that is new memory, and where it is added."""


class ByRule(Accesses):
    """Writes what rules say."""

    def by_rule(self, scope: Scope, op: Apply, seeds: dict[tuple[Any, ...], Value]) -> None:
        """What the rule of a primitive says. seeds: the adjoints of its results, by place."""
        rule = registry.rule_for(op.primitive.function, operands=len(op.application.arguments))
        if rule is None:
            raise NotYet(f"no rule for {op.primitive.name}")
        active = {v for v in op.operands if v in self.active and carries(v.kind)}
        since = len(scope.builder.block.operations)
        pending = self.expanded(scope, op, rule, seeds, active)
        swapped = left_out(scope.builder, since)
        pending = [(value, swapped.get(made, made), new, at) for value, made, new, at in pending]
        if rule.elementwise and () in seeds:
            gated = self.gates.gated
            g = seeds[()]
            root = vanishes(op, g)
            pending = [
                (value, gated(scope.builder, g, made, since, root), fresh, place)
                for value, made, fresh, place in pending
            ]
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
        one = op.result not in self.unit.results and () in seeds
        found = key_of(rule, op, seeds[()], active) if one else None
        known = self.expansions.known(found[0]) if found else None
        if found and known:
            return [(*each, None) for each in known.again(scope.builder, found[1])]
        since = len(scope.builder.block.operations)
        bench = Bench(self.unit, scope.builder, self.stable)
        bench.complex = self.precision.complex
        made = [
            (value, self.lowered(bench, each.value), each.fresh, self.place(bench, each.at))
            for value, each in contributions(bench, op, self.born(op), rule, seeds, active)
        ]
        if found and all(place is None for *_, place in made):
            new, ends = scope.builder.block.operations[since:], [each[:3] for each in made]
            self.expansions.keep(found[0], rule, found[1], new, ends)
        return made

    def born(self, op: Apply) -> Entry:
        """The result, or the parts of it, as before anybody wrote there."""
        whole = self.unit.results.get(op.result, op.result)
        return rebuilt(whole, iter([self.as_born(value) for value in leaves(whole)]))

    def as_born(self, result: Value) -> Value:
        """A load beside the operation that gives a value."""
        op = result.op
        if not result.is_written or op is None or op.block is None:
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

    def lowered(self, bench: Bench, node: gast.expr) -> Value:
        """A contribution as a value."""
        return bench.lowering.content(node)

    def place(self, bench: Bench, at: gast.expr | None) -> tuple[Window, list[Value]] | None:
        """The window that a contribution is added to."""
        return None if at is None else bench.lowering.window(at)


def pulled_back(sweep: Sweep, op: Call, scope: Scope) -> None:
    """Asks the callee for a pullback, and adds the adjoints that this gives."""
    active = [k for k, v in enumerate(op.operands) if v in sweep.active and carries(v.kind)]
    g = sweep.take(scope, op.results[0]) if active else None
    if g is None:
        return
    g = scope.full(op.results[0], g)
    given = list(op.operands)
    for k, value in enumerate(given):
        if value.is_written or isinstance(value.op, Load) and is_version(value.op):
            op.operands[k] = lasting(sweep, op, value)
    op.variant = sweep.unit.compile(op.callee, tuple(active))
    pullback = Value(f"{hint(op.results[0])}_pullback", Text())
    pullback.op, pullback.block = op, op.block
    op.results.append(pullback)
    bars = [Value(f"{hint(given[k])}_bar", given[k].kind) for k in active]
    scope.builder.add(Pullback(op, [pullback, g], bars))
    for k, bar in zip(active, bars):
        sweep.add(scope, given[k], bar)


def lasting(sweep: Sweep, op: Call, value: Value) -> Value:
    """A copy of memory that changes: a pullback reads what its function was given."""
    block = op.block
    assert block is not None
    at = block.operations.index(op)
    rest, block.operations = block.operations[at:], block.operations[:at]
    builder = Builder(block, sweep.unit.references, op.origin)
    made = builder.call(".copy", np.copy, value, name_hint=hint(value), kind=value.kind)
    if made.op is not None:
        made.op.number = op.number
    block.operations += rest
    return made
