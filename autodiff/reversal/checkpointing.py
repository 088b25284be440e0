"""Checkpointed loops: their bodies become functions, from state to state.

    with checkpointed(snapshots=s):         (e, u), pullback = checkpointed_steps(
        for t in range(n):                      step, step_vjp, range(n), s, (e, u), (nu,), ...)
            u[1:] *= nu
            e = e + u[0]

The state is what the loop carries and the memory that it changes, as far as others know it; the
rest of what the body reads is constant. The steps change copies of the state: from there on the
names of this memory are names of what they leave.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import gast

from autodiff.core import (
    Ask,
    Block,
    For,
    Function,
    LoadOuter,
    Loop,
    Noting,
    Operation,
    Recomputed,
    Region,
    Spot,
    Steps,
    Value,
    around,
    around_value,
    constant,
    placed,
    values_in,
)
from autodiff.core.value import walk
from autodiff.dataflow.activity import Activity
from autodiff.dataflow.apart import Distinct
from autodiff.dataflow.settle import prune
from autodiff.emit.naming import hint
from autodiff.kinds.kind import number
from autodiff.lower.flow.frame import Unit
from autodiff.lower.functions.outlined import outlined
from autodiff.lower.functions.repeatable import check, check_bound, check_call, read_in
from autodiff.lower.functions.standing import Callee
from autodiff.normalize.build import item
from autodiff.primitives import Application, Builder, hole, primitive_of
from autodiff.primitives.applying import born
from autodiff.primitives.containing import is_container
from autodiff.reversal.differentiate import inputs
from autodiff.reversal.rebinding import made_again, rebind, views_of


def outline(unit: Unit, wrt: list[Value]) -> None:
    """Replaces the checkpointed loops and calls through which a derivative flows."""
    function, body = unit.function, unit.function.body
    if not (unit.checkpointed or unit.again):
        return
    prune(function)
    active = Activity(function, [leaf for value in wrt for leaf in inputs(unit, value)])
    changed = set[Region]()
    for name, origin, operations in reversed(list(unit.again)):  # from the outermost on
        there = [op for op in operations if op in op.block.operations]
        loops = {block.parent for op in there[:1] for block in around(op.block)}
        if there and there[0] in set(body.walk()) and loops.isdisjoint(unit.checkpointed):
            unit.again = [own for own in unit.again if own[2] is not operations]
            changed |= recompute(unit, active, name, origin, there)
    marked = [op for op in body.walk() if isinstance(op, Loop) and op in unit.checkpointed]
    inner = {op for loop in marked for op in walk(loop.body.operations)}
    for loop in marked:
        if loop not in inner:
            regions = {e.region.find() for e in loop.effects() if e.what == "write"}
            known = active.varied.regions & active.useful.regions
            if any(v in active for v in loop.carried) or not regions.isdisjoint(known):
                check(loop, [op.result.region for op in body.walk() if isinstance(op, LoadOuter)])
                replace(unit, loop, active)
                changed |= regions
    for region in changed:
        region.written = False
    for op in body.walk():
        if isinstance(op, Steps):
            for k in op.grouped:
                op.results[k].home.find().written = True
        for effect in op.effects():
            if effect.what == "write":
                effect.region.find().written = True


def recompute(
    unit: Unit, active: Activity, name: str, origin: Any, there: list[Operation]
) -> set[Region]:
    """A call of a function in place of its body; the memory that the body changes."""
    block = there[0].block
    places = [block.operations.index(op) for op in there]
    operations = block.operations[min(places) : max(places) + 1]
    later = block.operations[max(places) + 1 :]
    behind = dict.fromkeys([*read_in(walk(later)), *block.results])
    if block is unit.function.body:
        behind |= dict.fromkeys(values_in(unit.function.result))
    hoist(block, min(places), walk(operations))
    operations = [op for op in operations if not isinstance(op, LoadOuter)]
    made = {v for op in walk(operations) for v in (*op.results, *bound_by(op))}
    results = [v for v in behind if v in made]
    given = [v for v in dict.fromkeys(read_in(walk(operations))) if not v.is_constant]
    given = [v for v in given if v not in made]
    places = [k for k, v in enumerate(given) if v in active]
    if not places or not any(v in active for v in results):
        return set()
    changed = {e.region.find() for op in operations for e in op.effects() if e.what == "write"}
    with Noting(Spot(None, origin)):
        check_call(operations, given, results, changed, origin)
    named = [(hint(value), value) for value in given]
    whole = results[0] if len(results) == 1 else results
    callee = Callee(outlined(unit, name, operations, named, whole, origin), ())
    call = Recomputed(callee, given, results)
    call.active, call.origin, call.block = tuple(places), origin, block
    call.contexts = operations[0].contexts
    for value in results:
        value.block = block
    at = block.operations.index(operations[0])
    block.operations[at : at + len(operations)] = [call]
    return changed


def replace(unit: Unit, loop: Loop, active: Activity) -> None:
    """A call of the driver in place of a loop."""
    body, block = loop.body, loop.block
    hoist(block, block.operations.index(loop), loop.body.walk())
    asked = next((k for k, op in enumerate(body.operations) if isinstance(op, Ask)), -1)
    first, rest = body.operations[: asked + 1], body.operations[asked + 1 :]
    test = body.operations[asked].operands[0] if asked >= 0 else None
    free = read_inside(loop)
    known = dict.fromkeys([*free, *read_behind(unit.function, loop)])
    changed = {e.region.find() for e in loop.effects() if e.what == "write"}
    for region in (v.region for v in loop.carried if v.region is not None):
        if region.written or region.kinds:  # others see what becomes of it behind the loop
            changed.add(region)
    for value in (v for v in known if is_container(v.kind) and v in active and v in free):
        changed |= {*value.home.reached()}  # so that what it holds twice has one adjoint
    changed = held_with(changed, [*known, *loop.carried])
    memory = [v for v in known if v.region in changed and v not in loop.results]
    views = views_of(memory)
    memory = [v for v in memory if v not in views]
    looked = [own.op for own in views if own.op is not None]
    read = dict.fromkeys([*free, *(v for op in looked for v in op.operands)])
    constants = [v for v in read if not (v.is_constant or v in memory or v in views)]
    counter = body.parameters[0] if loop.fixed else born("count", number("int"), named=True)
    state = [*loop.carried, *memory]
    given = [*state, *constants]
    check_bound(loop, given)
    results = [*body.results, *memory]
    grouped = shared(state, changed)
    used = {*read_in(walk(rest)), *results}
    for op in reversed(first):  # of the test, what the body uses
        if not used.isdisjoint(op.results):
            used.update(read_in(op.nested()))
            rest = [op, *rest]
    named = [(hint(value), value) for value in (counter, *given)]
    step = outlined(unit, "step", [*looked, *rest], named, results, loop.origin)
    step.unit.function.state = len(state)
    step.unit.function.shared = grouped
    step.unit.function.grouped = frozenset(k + 1 for k in grouped)
    for k in step.unit.function.grouped:  # there, too, its adjoint is memory, shared as it is
        step.unit.function.body.parameters[k].home.find().written = True
    places = tuple(k for k, value in enumerate(given) if value in active)
    behind = [Value(v.hint, v.kind, v.memory, v.named) for v in memory]
    over = counts(unit, loop) if isinstance(loop, For) else constant(0)
    before = [v if not v.partial else constant(None) for v in loop.inits]
    operands = [over, unit.checkpointed[loop], *before, *memory, *constants]
    made = Steps(Callee(step, ()), operands, [*loop.results, *behind])
    made.active, made.grouped = places, grouped
    if test is not None:
        goes_on = outlined(unit, "goes_on", [*looked, *first[:-1]], named[1:], test, loop.origin)
        made.test = Callee(goes_on, ())
    made.origin, made.block, made.contexts = loop.origin, block, loop.contexts
    for value in made.results:
        value.block = block
    block.operations[block.operations.index(loop)] = made
    for old, new in zip(memory, behind):
        rebind(unit.function, made, old, new)
    made_again(unit.function, made, views, dict(zip(memory, behind)))


def counts(unit: Unit, loop: For) -> Value:
    """What a loop goes over, in its order: `reversed(range(n))` as `range(n)[::-1]`."""
    if not loop.backwards:
        return loop.over
    before = Block()
    form = item(hole(0), gast.Slice(None, None, gast.Constant(-1, None)))
    own = primitive_of(operator.getitem), Application((hole(0),)), form
    builder = Builder(before, unit.references, loop.origin)
    found = builder.apply(*own, [loop.over], loop.over.kind)
    at = loop.block.operations.index(loop)
    placed(loop.block, before.operations)
    loop.block.operations[at:at] = before.operations
    return found


def held_with(changed: set[Region], values: list[Value]) -> set[Region]:
    """Memory that changes, what holds such memory, and what that holds."""
    found, count = set(changed), -1
    while count != len(found):
        count = len(found)
        for value in values:
            reached = set() if value.region is None else {*value.region.reached()}
            if not found.isdisjoint(reached):
                found |= reached
    return found


def shared(state: list[Value], changed: set[Region]) -> frozenset[int]:
    """The places of memory that others of the state may share, and of containers."""
    distinct, found = Distinct(), set[int]()
    for k, one in enumerate(state):
        region = one.region
        if region is not None and (region in changed or is_container(one.kind)):
            others = [v for j, v in enumerate(state) if j != k and v.region is not None]
            near = (v for v in others if region in v.home.reached())
            if is_container(one.kind) or any(
                is_container(v.kind) or not distinct.apart(one, v) for v in near
            ):
                found.add(k)
    return frozenset(found)


def hoist(block: Block, at: int, operations: Iterable[Operation]) -> None:
    """What is outside is read before all else: later it may be something else."""
    for op in [own for own in operations if isinstance(own, LoadOuter)]:
        op.block.operations.remove(op)
        op.block = op.result.block = block
        block.operations.insert(at, op)
        at += 1


def read_inside(loop: Loop) -> list[Value]:
    """The values of the function around it that a loop reads."""
    inside = list(walk(loop.body.operations))
    made = {v for op in (loop, *inside) for v in (*op.results, *bound_by(op))}
    used = dict.fromkeys([*read_in(inside), *loop.body.results])
    return [v for v in used if not v.is_constant and v not in made]


def read_behind(function: Function, loop: Loop) -> list[Value]:
    """The values of before a loop that are read behind it, or in the next round of one around."""
    used, made = dict.fromkeys(values_in(function.result)), set(loop.results)
    op: Operation = loop
    for block in around(loop.block):
        at = block.operations.index(op)
        later = list(walk(block.operations[at + 1 :]))
        used |= dict.fromkeys(read_in(later)) | dict.fromkeys(block.results)
        made |= {v for own in later for v in (*own.results, *bound_by(own))}
        if isinstance(block.parent, Loop):
            again = read_in(walk(block.operations[:at]))
            used |= dict.fromkeys(v for v in again if block not in around_value(v))
        if block.parent is not None:
            op = block.parent
            made |= {*op.results}
    return [v for v in used if v not in made and not v.is_constant]


def bound_by(op: Operation) -> list[Value]:
    """The parameters of the blocks of an operation."""
    return [value for block in op.blocks for value in block.parameters]
