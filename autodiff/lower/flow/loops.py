"""Loops: over ranges, and as long as a test is true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.kind import Scalar, number
from autodiff.core.appends import Append, Take
from autodiff.core.leaving import Ask, Break, While
from autodiff.core.notyet import NotYet, Positions
from autodiff.core.operation import For, Loop, Operation
from autodiff.lower.entries.entry import (
    Box,
    Differs,
    Entry,
)
from autodiff.lower.entries.library import Drawn
from autodiff.lower.entries.lists import memory_of
from autodiff.lower.entries.peeled import (
    KNOWN,
    OFTEN,
    Peeled,
    range_peeled,
    trips,
    while_peeled,
)
from autodiff.lower.flow.branches import ordered
from autodiff.lower.flow.carried import key_of, last
from autodiff.lower.flow.drawing import draw
from autodiff.lower.flow.heap import moved, restore, snapshot
from autodiff.lower.flow.repeated import Repeated
from autodiff.normalize.build import assign, at
from autodiff.primitives.applying import born
from autodiff.syntax.names import all_names, name

if TYPE_CHECKING:
    from autodiff.lower.statement.statements import Statements


def loop(statements: Statements, node: gast.For) -> None:
    """`for` over a range: what its body binds and reads again is carried."""
    iterable, backwards = node.iter, False
    if node.orelse:
        raise NotYet("a loop of another form")
    while is_call_of(statements, iterable, reversed) and len(iterable.args) == 1:
        iterable, backwards = iterable.args[0], not backwards
    if not is_call_of(statements, iterable, range) or not isinstance(node.target, gast.Name):
        draw(statements, node)
        return
    target, origin = node.target.id, getattr(node, "origin", None)
    names = [n for n in ordered(node.body) if n != target]
    left = trips(statements.frame, iterable)
    if left == 0 or is_apart(statements, node, iterable):
        return
    mark = len(statements.builder.block.operations)
    over = statements.value(iterable)
    own = slice(mark, len(statements.builder.block.operations))
    work = Repeated(statements, node, names, left is not None)
    end: list[Entry] = []

    def make() -> Loop:
        return For(over, born(target, number("int"), named=True), origin, backwards)

    def fill(op: Loop) -> None:
        assert isinstance(op, For)
        statements.frame.names[target] = op.variable
        iteration(statements, node.body)
        end[:] = [statements.frame.names[target]]

    try:
        op = work.run(make, fill)
    except (Differs, Positions) as reason:
        known = left is not None and left <= KNOWN
        if isinstance(reason, Positions) and not known:
            raise drawn(statements, origin, reason.reason) from None
        begun_again(work, reason)
        del work.outer.block.operations[own]
        peeled = range_peeled(statements.frame, node, iterable, backwards, reason)
        apart(statements, work, node, peeled, reason, known)
        is_apart(statements, node, iterable)
        return
    check_growing(statements, iterable, list(op.body.walk()), origin)
    statements.frame.names[target] = last(work, op, target, end[0])


def is_apart(statements: Statements, node: gast.stmt, over: gast.expr | None = None) -> bool:
    """Lowers what stands in place of a loop whose first iteration is apart."""
    found = statements.unit.peeled.get(key_of(statements.unit, node))
    if found is None:
        return False
    operations, origin = statements.builder.block.operations, getattr(node, "origin", None)
    mark = len(operations)
    items = [box for box in gone_over(statements, over) if memory_of(box) is None]
    sizes = [len(box.slots) for box in items]
    statements.block(found)
    if over is not None:
        if any(memory_of(box) is None and len(box.slots) != n for box, n in zip(items, sizes)):
            raise drawn(statements, origin, "a list that grows while a loop goes over it")
        walked = [each for op in operations[mark:] for each in (op, *_within(op))]
        check_growing(statements, over, walked, origin)
    return True


def _within(op: Operation) -> Iterator[Operation]:
    for block in op.blocks:
        yield from block.walk()


def begun_again(work: Repeated, reason: NotYet) -> None:
    """Everything as it was before a loop, whose first iteration is to stand apart."""
    if isinstance(reason, Differs) and reason.loop != work.key:
        raise reason
    restore(work.frame, work.entered)
    work.frame.builder = work.outer


def apart(
    statements: Statements,
    work: Repeated,
    node: gast.stmt,
    peeled: Peeled,
    reason: NotYet,
    known: bool,
) -> None:
    """Keeps what stands for a loop: loops around it are lowered several times. known: how often it
    runs.
    """
    unit = statements.unit
    count = unit.rests.get(id(node), 0)
    if count >= (KNOWN if known else OFTEN):
        raise reason
    body, again = peeled
    unit.peeled[work.key], unit.rests[id(again)] = body, count + 1


def check_growing(
    statements: Statements, over: gast.expr, operations: list[Operation], origin: Any
) -> None:
    """A loop over the items of a list goes on as long as there are some, unlike its range."""
    for box in gone_over(statements, over):
        memory = memory_of(box)
        if memory is not None and any(
            isinstance(each, (Append, Take)) and each.base.region is memory.region
            for each in operations
        ):
            raise drawn(statements, origin, "a list that grows while a loop goes over it")


def drawn(statements: Statements, origin: Any, reason: str) -> Exception:
    """What is raised where a loop over places has to be one that asks each time."""
    if origin is None or origin in statements.unit.doors.drawing:
        return Positions(reason)
    return Drawn(origin, reason)


def gone_over(statements: Statements, over: gast.expr | None) -> list[Box]:
    """The lists of which a loop goes over the items."""
    names = {part.id for part in gast.walk(over) if isinstance(part, gast.Name)} if over else set()
    held = [statements.frame.names.get(own) for own in names & statements.frame.temporaries]
    return [entry for entry in held if isinstance(entry, Box)]


def as_long_as(statements: Statements, node: gast.While) -> None:
    """`while`: the test stands in the body, in front of what it asks for."""
    if node.orelse:
        raise NotYet("a loop of another form")
    known = None
    if id(node) in statements.unit.rests:
        known = decided(statements, node.test)
    if known is False or is_apart(statements, node):
        return
    always = isinstance(node.test, gast.Constant) and bool(node.test.value)
    work = Repeated(statements, node, ordered(node.body), always)
    origin = getattr(node, "origin", None)

    def fill(op: Loop) -> None:
        before = snapshot(statements.frame)
        test = statements.truth_of(node.test)
        effects = [effect for inner in op.body.operations for effect in inner.effects()]
        if any(effect.what == "write" for effect in effects):
            raise _TestChangesSomething
        if moved(before, snapshot(statements.frame)):
            raise _TestChangesSomething
        statements.builder.origin = origin
        statements.builder.add(Ask([test], [], origin))
        iteration(statements, node.body)

    try:
        work.run(lambda: While([], origin), fill)
    except Differs as reason:
        begun_again(work, reason)
        apart(statements, work, node, while_peeled(node), reason, bool(known))
        is_apart(statements, node)
    except _TestChangesSomething:
        restore(statements.frame, work.before)
        statements.frame.builder = work.outer
        as_long_as(statements, asked_inside(statements, node))


def decided(statements: Statements, test: gast.expr) -> bool | None:
    """What a test gives where a loop begins, if that is known; else it is as if nobody asked."""
    before, operations = snapshot(statements.frame), statements.builder.block.operations
    mark = len(operations)
    found = statements.truth_of(test)
    if found.is_constant and not found.constant:
        return False
    restore(statements.frame, before)
    del operations[mark:]
    return True if found.is_constant else None


class _TestChangesSomething(Exception):
    """What a test changes lasts where it is false, too."""


def asked_inside(statements: Statements, node: gast.While) -> gast.While:
    """The same loop without a test, which is asked in the last iteration as in all others.

    before: `while test: ...`
    after: `while True: leave = True; if test: ...; leave = False; if leave: break`
    """
    taken, own = all_names(statements.frame.tree), "leave"
    while own in taken:
        own += "_"
    *body, end = node.body
    last: gast.expr = gast.Constant(value=False, kind=None)
    if isinstance(end, gast.If) and isinstance(end.body[0], gast.Break):
        last = end.test
    else:
        body.append(end)
    origin = getattr(node, "origin", None)
    run = [*body, assign(own, last, origin)]
    whole = [
        assign(own, gast.Constant(value=True, kind=None), origin),
        at(gast.If(test=node.test, body=run, orelse=[]), origin),
        at(gast.If(test=name(own), body=[gast.Break()], orelse=[]), origin),
    ]
    always = gast.Constant(value=True, kind=None)
    made = at(gast.While(test=always, body=whole, orelse=[]), origin)
    assert isinstance(made, gast.While)
    return made


def iteration(statements: Statements, body: list[gast.stmt]) -> None:
    """The body of a loop; `if NAME: break` may end it."""
    *before, end = body
    if not isinstance(end, gast.If) or not isinstance(end.body[0], gast.Break):
        statements.block(body)
        return
    statements.block(before)
    flag = statements.content(end.test)
    if flag.is_constant and not flag.constant:
        return
    if not isinstance(flag.kind, Scalar) or flag.op is None and not flag.is_constant:
        raise NotYet("break by a flag of an earlier iteration")
    statements.builder.origin = getattr(end, "origin", None)
    statements.builder.add(Break([flag], []))


def is_call_of(statements: Statements, node: Any, function: Any) -> bool:
    """Whether an expression calls a builtin."""
    return (
        isinstance(node, gast.Call)
        and statements.static(node.func) is function
        and not node.keywords
    )
