"""The adjoints of calls of functions that stay functions: by the pullback that each call gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autodiff.analysis.kind import Text
from autodiff.core import Load, Value, constant
from autodiff.core.statements import Call, Pullback, Steps
from autodiff.dataflow.activity import carries
from autodiff.dataflow.settle import is_version
from autodiff.emit.names import hint
from autodiff.primitives import Builder
from autodiff.reversal.scope import Scope

if TYPE_CHECKING:
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


def stepped_back(sweep: Sweep, op: Steps, scope: Scope) -> None:
    """Asks the driver of a checkpointed loop for a pullback, and adds the adjoints of the first
    state, and of what else is read.
    """
    given = list(op.given)
    taken = [sweep.take(scope, value) for value in op.results]
    seeds = [
        constant(0.0) if g is None or k not in op.active else scope.full(op.results[k], g)
        for k, g in enumerate(taken)
    ]
    for k, value in enumerate(given):
        if k >= op.width and value.is_written:
            op.operands[k + 2] = lasting(sweep, op, value)
    op.name = sweep.unit.compile(op.callee, None)
    op.test = op.test and sweep.unit.compile(op.test, None)
    op.variant = sweep.unit.compile(op.callee, tuple(k + 1 for k in op.active))
    pullback = Value("steps_pullback", Text())
    pullback.op, pullback.block = op, op.block
    op.results.append(pullback)
    made = [Value(f"{hint(given[k])}_bar", given[k].kind) for k in op.active]
    scope.builder.add(Pullback(op, [pullback, *seeds], made))
    for k, bar in zip(op.active, made):
        if k in op.grouped and given[k] in sweep.of:
            sweep.overwrite(scope, sweep.of[given[k]], bar)
        else:
            sweep.add(scope, given[k], bar)


def lasting(sweep: Sweep, op: Call, value: Value) -> Value:
    """A copy of memory that changes: a pullback reads what its function was given."""
    block = op.block
    at = block.operations.index(op)
    rest, block.operations = block.operations[at:], block.operations[:at]
    builder = Builder(block, sweep.unit.references, op.origin)
    made = builder.call(".copy", np.copy, value, name_hint=hint(value), kind=value.kind)
    if made.op is not None:
        made.op.number = op.number
    block.operations += rest
    return made
