"""The adjoints of what touches memory."""

from __future__ import annotations

import gast

from autodiff.analysis.kind import Array, Record, Sequence
from autodiff.core.appends import Append, Take
from autodiff.core.notyet import NotYet
from autodiff.core.operation import Accumulate, Load, Store, View
from autodiff.core.value import Value, constant
from autodiff.reversal.contributions import Contributions
from autodiff.reversal.scope import Scope


class Accesses(Contributions):
    """The adjoints of loads and stores."""

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
        if op.window is None:
            for part in scope.listed.pop(op.result, ()):
                self.add_items(scope, op.base, part)
            return
        g = scope.bars.pop(op.result, None)
        if g is not None:
            scope.builder.accumulate(self.of[op.base], g, op.window, op.index)

    def scattered(self, op: Load) -> bool:
        """Whether places may occur several times in a window."""
        return any(may_repeat(v) for v in op.index)

    def on_View(self, op: View, scope: Scope) -> None:
        if op.result in self.of or op.result not in self.active:
            return
        g = self.take(scope, op.result)
        if g is not None:
            self.add_window(scope, op.base, op.window, op.index, g)


def may_repeat(index: Value) -> bool:
    """Whether an operand of a window may name a place several times: numbers in an array do."""
    if isinstance(index.kind, Array):
        return index.kind.dtype != "bool"
    return isinstance(index.kind, (Record, Sequence))
