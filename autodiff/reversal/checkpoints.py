"""Checkpointed loops: their bodies become functions, from state to state.

    with checkpointed(snapshots=s):         (u, e), steps_pullback = checkpointed_steps(
        for t in range(n):                      step, step_vjp, range(n), s, (u, e), (nu,), (0, 1, 2)
            u[1:] *= nu                     )
            e = e + u[0]

The state is what the loop carries and the memory that it changes, as far as others know it; the
rest of what the body reads is constant. The steps change copies of the state: from there on the
names of this memory are names of what they leave.
"""

from __future__ import annotations

from collections.abc import Iterator

import gast

from autodiff.analysis.kind import Array, Drawing, number
from autodiff.core import (
    Ask,
    Block,
    Break,
    Function,
    If,
    LoadOuter,
    Loop,
    NotYet,
    Operation,
    Region,
    Steps,
    Try,
    Unseen,
    Value,
    Verbatim,
    While,
    around,
    around_value,
    constant,
    values_in,
)
from autodiff.core.value import walk
from autodiff.dataflow.activity import Activity
from autodiff.dataflow.settle import mapped, renamed
from autodiff.lower.flow.frame import Unit
from autodiff.lower.functions.outlined import check_form, outlined
from autodiff.lower.functions.standing import Callee
from autodiff.primitives import is_world
from autodiff.primitives.applying import born
from autodiff.reversal.differentiate import inputs

_LEFT = (
    "a checkpointed loop is left by `break`, or by `return`",
    "how many steps it takes is not known before it runs",
    "write it as a `while` loop, under `with checkpointed(snapshots=...)`",
)
_TRIED = (
    "a checkpointed loop inside a `try`",
    "an exception would leave its state half computed",
    "move the `try` into the loop, or out of the function",
)
_AGAIN = (
    "this is not known to give the same when it is run again",
    "a checkpointed loop runs steps again; random numbers would be others, and output would come "
    "twice",
    "draw random numbers before the loop, one row for each step; print after it",
)
_OUTSIDE = (
    "a checkpointed loop changes `{}`, which is no variable of the function",
    "steps are run again, and would change it again",
    "change a copy that is made before the loop",
)


def outline(unit: Unit, wrt: list[Value]) -> None:
    """Replaces the checkpointed loops through which a derivative flows."""
    body = unit.function.body
    loops = [op for op in body.walk() if isinstance(op, Loop) and op in unit.checkpointed]
    if not loops:
        return
    active = Activity(unit.function, [leaf for value in wrt for leaf in inputs(unit, value)])
    inner = {op for loop in loops for op in walk(loop.body.operations)}
    changed = set[Region]()
    for loop in loops:
        if loop not in inner:
            regions = {e.region.find() for e in loop.effects() if e.what == "write"}
            if any(v in active for v in loop.carried) or not regions.isdisjoint(
                active.varied.regions & active.useful.regions
            ):
                check(loop, [op.result.region for op in body.walk() if isinstance(op, LoadOuter)])
                replace(unit, loop, active)
                changed |= regions
    for region in changed:
        region.written = False
    for op in body.walk():
        for effect in op.effects():
            if effect.what == "write":
                effect.region.find().written = True


def check(loop: Loop, outer: list[Region | None]) -> None:
    """Refuses steps that are not the same when they are run again."""
    if any(isinstance(op, Break) for op in loop.body.operations):
        raise Unseen(loop.origin, *_LEFT)
    if any(isinstance(block.parent, Try) for block in around(loop.block)):
        raise Unseen(loop.origin, *_TRIED)
    for op in loop.body.walk():
        drawn = any(isinstance(value.kind, Drawing) for value in op.operands)
        said = isinstance(op, Verbatim) and isinstance(op.form, gast.Expr)
        if drawn or said or is_world(op):
            raise Unseen(op.origin or loop.origin, *_AGAIN)
        for effect in op.effects():
            if effect.what == "write" and effect.region.find() in outer:
                names = [v.hint for v in op.operands if v.region is effect.region.find()]
                own = next((name for name in names if name), "it")
                raise Unseen(loop.origin, _OUTSIDE[0].format(own), *_OUTSIDE[1:])


def replace(unit: Unit, loop: Loop, active: Activity) -> None:
    """A call of the driver in place of a loop."""
    hoist(loop)
    body, block = loop.body, loop.block
    asked = next((k for k, op in enumerate(body.operations) if isinstance(op, Ask)), -1)
    first, rest = body.operations[: asked + 1], body.operations[asked + 1 :]
    free = read_inside(loop)
    written = {e.region.find() for e in loop.effects() if e.what == "write"}
    known = dict.fromkeys([*free, *read_behind(unit.function, loop)])
    memory = [v for v in known if v.region in written and v not in loop.results]
    constants = [v for v in free if v not in memory]
    counter = body.parameters[0] if loop.fixed else born("count", number("int"), named=True)
    state = [*loop.carried, *memory]
    given = [check_form(value) for value in (*state, *constants)]
    results = [*body.results, *memory]
    step = outlined(unit, "step", [*first[:-1], *rest], [counter, *given], results, loop.origin)
    places = tuple(k for k, value in enumerate(given) if value in active)
    behind = [Value(v.hint, v.kind, v.memory, v.named) for v in memory]
    over = loop.operands[0] if loop.fixed else constant(0)
    before = [v if not v.partial else constant(None) for v in loop.inits]
    operands = [over, unit.checkpointed[loop], *before, *memory, *constants]
    made = Steps(Callee(step, ()), operands, [*loop.results, *behind], places)
    if isinstance(loop, While):
        test = body.operations[asked].operands[0]
        goes_on = outlined(unit, "goes_on", first[:-1], given, test, loop.origin)
        made.test = Callee(goes_on, ())
    made.origin, made.block, made.contexts = loop.origin, block, loop.contexts
    for value in made.results:
        value.block = block
    block.operations[block.operations.index(loop)] = made
    for old, new in zip(memory, behind):
        rebind(unit.function, made, old, new)


def hoist(loop: Loop) -> None:
    """What is outside is read before the loop: later it may be something else."""
    before = loop.block.operations
    for block in list(loop.body.blocks()):
        for op in [own for own in block.operations if isinstance(own, LoadOuter)]:
            block.operations.remove(op)
            op.block = op.result.block = loop.block
            before.insert(before.index(loop), op)


def read_inside(loop: Loop) -> list[Value]:
    """The values of the function around it that a loop reads."""
    inside = list(walk(loop.body.operations))
    blocks = list(loop.body.blocks())
    defined = {v for op in inside for v in op.results} | {v for b in blocks for v in b.parameters}
    used = [v for op in inside for v in op.operands] + [v for b in blocks for v in b.results]
    return [v for v in dict.fromkeys(used) if not v.is_constant and v not in defined]


def read_behind(function: Function, loop: Loop) -> Iterator[Value]:
    """The values that are read behind a loop, or in a later iteration of one around it."""
    inner: Operation = loop
    for block in around(loop.block):
        later = block.operations[block.operations.index(inner) + 1 :]
        again = isinstance(block.parent, Loop)
        if again:
            later = [op for op in block.operations if op is not inner]
        for op in walk(later):
            for value in (*op.operands, *(v for each in op.blocks for v in each.results)):
                if not again or block not in around_value(value):
                    yield value
        if again:
            behind = block.operations[block.operations.index(inner) + 1 :]
            yield from (value for op in walk(behind) for value in op.operands)
        yield from block.results
        if block.parent is not None:
            inner = block.parent
    yield from values_in(function.result)


def rebind(function: Function, op: Operation, old: Value, new: Value) -> None:
    """From an operation on, memory is other memory: as if its name was assigned."""
    block, inner = op.block, op
    while True:
        for later in block.operations[block.operations.index(inner) + 1 :]:
            renamed(later, {old: new})
        block.results = [new if value is old else value for value in block.results]
        parent = block.parent
        if old.block is block or parent is None:
            if block is function.body:
                function.result = mapped(function.result, {old: new}.get)
            return
        new = passed(parent, block, old, new)
        inner, block = parent, parent.block


def passed(parent: Operation, block: Block, old: Value, new: Value) -> Value:
    """What memory is behind a loop or a branch, in a block of which it becomes other memory."""
    result = Value(old.hint, old.kind, old.memory, old.named)
    if isinstance(parent, Loop):
        parameter = Value(old.hint, old.kind, old.memory, old.named)
        for op in block.operations:
            renamed(op, {old: parameter})
        parent.carry(old, parameter, new, result)
    elif isinstance(parent, If):
        ends = [new if own is block else old for own in parent.blocks]
        parent.merge(ends[0], ends[1], result)
    else:
        raise NotYet("a checkpointed loop in a block of another form")
    return result
