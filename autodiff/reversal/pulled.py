"""The adjoints of calls of functions that stay functions: by the pullback that each call gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

from autodiff.core import Apply, Load, NotYet, Value, constant
from autodiff.core.statements import Call, Pullback, Recomputed, Steps
from autodiff.dataflow.carrying import carries
from autodiff.dataflow.settle import is_version
from autodiff.emit.names import hint
from autodiff.kinds.kind import Record, Text
from autodiff.primitives import ITEM, key_of
from autodiff.reversal.adjoint_calls import adjoints
from autodiff.reversal.given_again import given_again
from autodiff.reversal.lasting import lasting
from autodiff.reversal.scope import Scope

if TYPE_CHECKING:
    from autodiff.reversal.sweep import Sweep

Parts = dict[tuple[Any, ...], Value]


def pulled_back(sweep: Sweep, op: Call, scope: Scope) -> None:
    """Asks the callee for a pullback, and adds the adjoints that this gives; in what becomes an
    ordinary function it is called.
    """
    active = [k for k, v in enumerate(op.operands) if v in sweep.active and carries(v.kind)]
    g = seed_of(sweep, op.results[0], scope) if active else None
    if g is None:
        return
    given = list(op.operands)
    for k, value in enumerate(given):
        if op.callee.parameters[k] in op.callee.changed and not sweep.unit.function.ordinary:
            continue  # it takes a copy when it is called
        if value.is_written or isinstance(value.op, Load) and is_version(value.op):
            op.operands[k] = lasting(sweep, op, value)
    op.active = tuple(active)
    if sweep.unit.function.ordinary:
        bars = adjoints(sweep.unit, scope.builder, op, [*op.operands, g])
        for k, bar in zip(active, bars):
            sweep.add(scope, given[k], bar)
        return
    op.variant = sweep.unit.compile(op.callee, op.active)
    pullback = Value(f"{hint(op.results[0])}_pullback", Text())
    pullback.op, pullback.block = op, op.block
    op.results.append(pullback)
    bars = [Value(f"{hint(given[k])}_bar", given[k].kind) for k in active]
    scope.builder.add(Pullback(op, [pullback, g], bars))
    for k, bar in zip(active, bars):
        sweep.add(scope, given[k], bar)


def seed_of(sweep: Sweep, result: Value, scope: Scope) -> Value | None:
    """The adjoint of what a call gives; None if it is zero."""
    if result not in sweep.unit.results:
        g = sweep.take(scope, result)
        return None if g is None else scope.full(result, g)
    found = sweep.gathered(scope, result)
    return put_together(sweep, scope, result, result, found, ()) if found else None


def put_together(
    sweep: Sweep, scope: Scope, whole: Value, there: Value, found: Parts, path: tuple[Any, ...]
) -> Value:
    """The adjoint of what a call gives, in its form. there: `whole` as the reverse sweep has it.
    found: the adjoints of numbers and arrays in it, by their places; others have none.
    """
    results, kind, made = sweep.unit.results, whole.kind, list[Value]()
    assert isinstance(kind, Record)
    inner = {key_of(v.op): v for v in results if is_item(v.op) and v.op.base is whole}
    for key, own, entry in zip(kind.keys, kind.items, results[whole].items):
        place, part = (*path, key), inner.get(key, entry)
        if isinstance(own, Record) and (key not in inner or place in found):
            raise NotYet("an adjoint of a tuple in a tuple")
        if not carries(own):
            made.append(constant(0.0))
            continue
        if isinstance(part, Value) and part.op in part.block.operations:
            value = part
        else:
            value = scope.builder.item(there, key, own)  # nobody has read it so far
        if isinstance(own, Record):
            made.append(put_together(sweep, scope, inner[key], value, found, place))
        else:
            g = found.get(place)
            made.append(scope.zero(value) if g is None else scope.full(value, g))
    return scope.builder.display(kind.cls, kind.keys, made)


def is_item(op: object) -> TypeGuard[Apply]:
    """Whether an operation takes one of several values."""
    return isinstance(op, Apply) and op.primitive is ITEM


def stepped_back(sweep: Sweep, op: Steps, scope: Scope) -> None:
    """Asks the driver of a checkpointed loop or call for a pullback, and adds the adjoints of what
    it is given: the state before the loop, and what else is read.
    """
    if sweep.unit.function.driven is not None:
        given_again(sweep, op, scope, sweep.unit.function.driven)
        return
    given, is_loop = list(op.given), not isinstance(op, Recomputed)
    seeds = []
    for value in op.results:
        g = sweep.take(scope, value) if value in op.carrying and carries(value.kind) else None
        whole = g is not None or not is_loop and carries(value.kind)
        seeds.append(scope.full(value, g) if whole else constant(0.0))
    for k, value in enumerate(given):
        if not is_loop or k >= op.width:
            changes = value.region is not None and any(r.written for r in value.region.reached())
            if changes or isinstance(value.op, Load) and is_version(value.op):
                op.operands[len(op.operands) - len(given) + k] = lasting(sweep, op, value)
    op.name = sweep.unit.compile(op.callee, None)
    op.test = op.test and sweep.unit.compile(op.test, None)
    op.variant = sweep.unit.compile(op.callee, tuple(k + is_loop for k in op.active))
    pullback = Value(f"{'steps' if is_loop else hint(op.results[0])}_pullback", Text())
    pullback.op, pullback.block = op, op.block
    op.results.append(pullback)
    made = [Value(f"{hint(given[k])}_bar", given[k].kind) for k in op.active]
    scope.builder.add(Pullback(op, [pullback, *seeds], made))
    for k, bar in zip(op.active, made):
        if k in op.grouped and given[k] in sweep.of:
            sweep.overwrite(scope, sweep.of[given[k]], bar)
        else:
            sweep.add(scope, given[k], bar)
