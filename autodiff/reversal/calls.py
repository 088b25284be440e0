"""The adjoint of a call that stays a call: its pullback."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autodiff.analysis.kind import Text
from autodiff.core.calls import Call, Pullback
from autodiff.core.value import Value
from autodiff.emit.names import hint
from autodiff.reversal.activity import carries

if TYPE_CHECKING:
    from autodiff.reversal.scope import Scope
    from autodiff.reversal.sweep import Sweep


def pulled_back(sweep: Sweep, op: Call, scope: Scope) -> None:
    """Asks the callee for a pullback, and adds the adjoints that this gives."""
    active = [k for k, v in enumerate(op.operands) if v in sweep.active and carries(v.kind)]
    g = sweep.take(scope, op.results[0]) if active else None
    if g is None:
        return
    g = scope.full(op.results[0], g)
    op.variant = sweep.unit.compile(op.callee, tuple(active))
    pullback = Value(f"{hint(op.results[0])}_pullback", Text())
    pullback.op, pullback.block = op, op.block
    op.results.append(pullback)
    bars = [Value(f"{hint(op.operands[k])}_bar", op.operands[k].kind) for k in active]
    scope.builder.add(Pullback(op, [pullback, g], bars))
    for k, bar in zip(active, bars):
        sweep.add(scope, op.operands[k], bar)
