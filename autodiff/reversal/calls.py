"""The adjoint of a call that stays a call: its pullback."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autodiff.analysis.kind import Text
from autodiff.core.operation import Load
from autodiff.core.statements import Call, Pullback
from autodiff.core.value import Value
from autodiff.dataflow.settle import is_version
from autodiff.emit.names import hint
from autodiff.primitives.builder import Builder
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
