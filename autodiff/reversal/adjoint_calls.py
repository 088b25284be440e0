"""Adjoints of a call that stays a call, in what is differentiated again: by a call, no pullback.

    y, f_pullback = f_vjp(x)            y = f(x)
    x_bar, = f_pullback(y_bar)          x_bar = f_adjoints(x, y_bar)

A pullback is a closure, of which nobody knows the derivative; `f_adjoints` is a function like
others, which runs both sweeps of `f`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from autodiff.core import Apply, Call, Function, NotYet, Value, replaced
from autodiff.core.step import Step
from autodiff.kinds.kind import Record
from autodiff.lower.flow.frame import Unit
from autodiff.lower.flow.lifted import results_of
from autodiff.lower.functions.standing import regions_given, seed_for
from autodiff.primitives import DISPLAY, ITEM, Builder, key_of
from autodiff.primitives.applying import born


def adjoints(unit: Unit, builder: Builder, op: Call, operands: list[Value]) -> list[Value]:
    """The adjoints of what a function was given that carries a derivative. operands: what it was
    given, and the seed, or those of the parts of a tuple.
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
