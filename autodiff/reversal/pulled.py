"""The adjoints of calls of functions that stay functions: by the pullback that each call gives."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from autodiff.core import Apply, Function, Load, NotYet, Value, constant, replaced
from autodiff.core.statements import Call, Pullback, Recomputed, Steps
from autodiff.core.step import Step
from autodiff.dataflow.carrying import carries
from autodiff.dataflow.settle import is_version
from autodiff.emit.naming import hint
from autodiff.kinds.kind import Record, Text
from autodiff.lower.flow.frame import Unit
from autodiff.lower.flow.lifted import results_of
from autodiff.lower.functions.standing import regions_given, seed_for
from autodiff.primitives import DISPLAY, ITEM, Builder, key_of
from autodiff.primitives.applying import born
from autodiff.reversal.given_again import changes, given_again, lasting
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
        if (not is_loop or k >= op.width) and changes(value):
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


def adjoints(unit: Unit, builder: Builder, op: Call, operands: list[Value]) -> list[Value]:
    """The adjoints of what a function was given that carries a derivative, in what is
    differentiated again: nobody knows the derivative of a pullback. operands: what the function was
    given, and the seed, or those of the parts of a tuple.

    before: `y, f_pullback = f_vjp(x)`, `(x_bar,) = f_pullback(y_bar)`
    after: `y = f(x)`, `x_bar = f_adjoints(x, y_bar)`, which runs both sweeps of `f`
    """
    own = op.callee
    operands = [*operands[:-1], *parts_of(operands[-1])]
    wrt = tuple(own.parameters[k] for k in op.active)
    step = Step("adjoints", wrt, len(wrt) == 1, seeds=len(operands) - len(own.parameters))
    kinds = tuple(operands[k].kind for k in op.active)
    kind = kinds[0] if step.single else Record(tuple, tuple(range(len(wrt))), kinds)
    result = Value(f"{wrt[0] if step.single else own.name}_bar", kind)
    made = Call(replace(own, inner=(*own.inner, step)), "", operands, [result])
    made.raises, op.raises, made.laid_out = op.raises, False, op.laid_out  # it does what that does
    builder.add(made)
    if step.single:
        return [result]
    results_of(unit, builder, result)
    return [part for part in unit.results[result].items if isinstance(part, Value)]


def enter(unit: Unit, function: Function) -> None:
    """Of both sweeps such a function: the adjoint of the value comes with the arguments."""
    parameters = function.body.parameters
    function.seeds = [leaf for value in function.seeds or () for leaf in leaves(function, value)]
    own_memory(unit, function)
    for value in function.seeds:
        value.hint, value.named = seed_for([each.hint for each in parameters]), True
        function.body.parameter(value)
    function.seeds = function.result = None


def parts_of(seed: Value) -> list[Value]:
    """The numbers and arrays of a seed that is written out."""
    if not isinstance(seed.kind, Record):
        return [seed]
    if not isinstance(seed.op, Apply) or seed.op.primitive is not DISPLAY:
        raise NotYet("the adjoint of a tuple that is not written out")
    return [part for value in seed.op.operands for part in parts_of(value)]


def leaves(function: Function, seed: Value) -> list[Value]:
    """The numbers and arrays of a seed, in place of what takes them out of it."""
    if not isinstance(seed.kind, Record):
        return [seed]
    parts: dict[object, Value] = {}
    for block in function.body.blocks():
        for op in [*block.operations]:
            if isinstance(op, Apply) and op.primitive is ITEM and op.base is seed:
                block.operations.remove(op)
                own = parts.setdefault(key_of(op), op.result)
                replaced(function.body, op.result, own)
                own.op = None
    kinds = zip(seed.kind.keys, seed.kind.items)
    found = [parts.get(key) or born("", kind) for key, kind in kinds]
    return [leaf for value in found for leaf in leaves(function, value)]


def own_memory(unit: Unit, function: Function) -> None:
    """What a function gives that stays one is nobody else's memory."""
    taken = {*regions_given(function), *(value.region for value in function.seeds or ())}
    builder = Builder(function.body, unit.references)
    outputs = []
    for value in function.outputs:
        if value.is_array and (value.region in taken or value.is_written):
            value = builder.call(".copy", np.copy, builder.load(value), kind=value.kind)
        taken.add(value.region if value.is_array else None)
        outputs.append(value)
    function.outputs = outputs
