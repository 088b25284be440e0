"""The reverse sweep: each operation, from the last on, adds to the adjoints of its operands."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autodiff.core import About, Apply, If, Loop, NotYet, Operation, Window, replaced
from autodiff.core.statements import Call, Steps, Try, While
from autodiff.core.value import Block, Value
from autodiff.dataflow.carrying import is_zero
from autodiff.deadline import check
from autodiff.emit.naming import hint
from autodiff.kinds.kind import Array, Record, is_number, number
from autodiff.primitives import lent, may_copy
from autodiff.primitives.containing import windows_of
from autodiff.primitives.inserted import is_insertion
from autodiff.primitives.table import BOUND, DISPLAY, ITEM, LISTING, SYNTAX, key_of
from autodiff.reversal.by_rule import ByRule
from autodiff.reversal.contributions import as_adjoint, is_same
from autodiff.reversal.custom_rules import inserted
from autodiff.reversal.mirrored import mirrored
from autodiff.reversal.pulled import pulled_back, stepped_back
from autodiff.reversal.scope import Scope, bar_kind
from autodiff.rules import registry


class Sweep(ByRule):
    """Writes the reverse sweep of a function whose shadows are made."""

    def block(self, scope: Scope, operations: list[Operation]) -> None:
        """The adjoints of operations in a row."""
        for op in reversed(operations):
            check()
            if op.shadow:
                continue
            scope.builder.origin, scope.builder.at, scope.builder.source = op.origin, op.at, op
            handler = getattr(self, f"on_{type(op).__name__}", None)
            if handler is not None:
                with About(op):
                    handler(op, scope)

    # Adding to adjoints ------------------------------------------------------------------------

    # Operations --------------------------------------------------------------------------------

    def on_Call(self, op: Call, scope: Scope) -> None:
        pulled_back(self, op, scope)

    def on_Steps(self, op: Steps, scope: Scope) -> None:
        stepped_back(self, op, scope)

    on_Recomputed = on_Steps

    def on_Apply(self, op: Apply, scope: Scope) -> None:
        result = op.result
        if any(op.operands[k] in self.active for k in op.changes):
            raise NotYet(f"{op.primitive.name} changes what carries a derivative")
        if result not in self.active or not any(v in self.active for v in op.operands):
            return
        if is_insertion(op):
            inserted(self, scope, op)
            return
        if op.primitive.memory == "view" and result in self.of:
            if result in scope.parts:  # numbers in a tuple in a tuple
                self.part(scope, op)
            return
        if is_zero(op) or registry.is_nondifferentiable(op.primitive.function):
            return  # new memory, to which something active is joined
        if op.primitive is ITEM:
            if op not in self.unit.entry:
                self.part(scope, op)
            return
        if result in self.of and (place := lent(op)) is not None:
            self.given_back(scope, op, place)
            return
        if op.primitive is LISTING:
            windows = windows_of(op.form, len(op.operands))
            for window, value in zip(windows, op.operands):
                if value in self.active and value not in self.of:
                    self.add(scope, value, scope.builder.load(self.of[result], window))
            return
        if op.primitive is SYNTAX:
            if scope.current(result) is None:
                return
            raise NotYet(f"a derivative through an {op.primitive.name}")
        if result in self.unit.results:
            if seeds := self.gathered(scope, result):
                self.by_rule(scope, op, seeds)
            return
        g = self.take(scope, result)
        if g is None:
            return
        if op.primitive is BOUND:
            self.add(scope, op.operands[0], g)
            return
        if op.primitive is DISPLAY:
            self.displayed(op, scope, g)
            return
        self.by_rule(scope, op, {(): g})

    def given_back(self, scope: Scope, op: Apply, place: int) -> None:
        """What may be a copy gives back what was added to its adjoint.

        before: `y = m.reshape(-1)`
        after: `if not np.may_share_memory(m_bar, y_bar): m_bar += y_bar.reshape(m.shape)`
        """
        if not may_copy(op, place):
            return
        whole, own = self.of[op.operands[place]], self.of[op.result]
        kind = number("bool")
        test = scope.builder.call("np.may_share_memory", np.may_share_memory, whole, own, kind=kind)
        branch = If(test, op.origin)
        child = Scope(scope, Block(), scope.builder.inside(branch.blocks[1]))
        self.by_rule(child, op, {(): child.builder.load(own)})
        scope.builder.add(branch)

    def part(self, scope: Scope, op: Apply) -> None:
        """The adjoint of one of several results waits for those of the others."""
        whole, found = op.operands[0], scope.parts.pop(op.result, {})
        g = None if found else self.take(scope, op.result)
        if g is not None:
            found = {(): g}
        if not found:
            return
        if whole not in self.unit.results or whole.block is not op.block:
            raise NotYet("a derivative through an item")
        key = key_of(op)
        parts = {(key, *path): bar for path, bar in found.items()}
        waiting = scope.parts.setdefault(whole, {})
        if not waiting.keys().isdisjoint(parts):
            raise NotYet("an item that is taken twice")
        waiting.update(parts)

    def gathered(self, scope: Scope, result: Value) -> dict[tuple[Any, ...], Value]:
        """The adjoint of a result, or those of the parts of several, by place."""
        if result not in self.unit.results:
            g = self.take(scope, result)
            return {} if g is None else {(): g}
        if result in self.of:
            scope.parts[result] = self.held(scope, self.of[result]) | scope.parts.get(result, {})
        return scope.parts.pop(result, {})

    def held(self, scope: Scope, whole: Value) -> dict[tuple[Any, ...], Value]:
        """What the shadow of several results holds, by place; numbers wait beside it."""
        assert isinstance(whole.kind, Record)
        found: dict[tuple[Any, ...], Value] = {}
        for key, kind in zip(whole.kind.keys, whole.kind.items):
            part = None if is_number(kind) else scope.builder.item(whole, key, kind)
            if part is not None and isinstance(kind, Record):
                found |= {(key, *path): own for path, own in self.held(scope, part).items()}
            elif part is not None:
                found[key,] = scope.builder.load(part)
        return found

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
            else:
                self.add(scope, value, scope.builder.item(g, key, as_adjoint(value.kind)))

    def on_While(self, op: While, scope: Scope) -> None:
        self.on_For(op, scope)

    def on_For(self, op: Loop, scope: Scope) -> None:
        loop = mirrored(op, scope.builder)
        child = Scope(scope, op.body, scope.builder.inside(loop.body), loop)
        carried = []
        for init, parameter, following, result in op.groups:
            if parameter in self.active and parameter not in self.of:
                bar = Value(f"{hint(parameter)}_bar", bar_kind(parameter), named=True)
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

    def on_Try(self, op: Try, scope: Scope) -> None:
        self.on_If(op, scope, scope.builder.unary(gast.Not(), op.raised))

    def on_If(self, op: If, scope: Scope, test: Value | None = None) -> None:
        branch = If(op.test if test is None else test, op.origin)
        branch.mirror = op
        children = [
            Scope(scope, f, scope.builder.inside(r)) for f, r in zip(op.blocks, branch.blocks)
        ]
        for first, second, result in op.groups:
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
            result = Value(f"{hint(value)}_bar", bar_kind(value), named=True)
            branch.merge(ends[0], ends[1], result)
            scope.bars[value] = result
            scope.owned.discard(result)
        scope.builder.origin, scope.builder.source = op.origin, op
        scope.builder.add(branch)
