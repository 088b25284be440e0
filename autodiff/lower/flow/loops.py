"""Loops: over ranges, and as long as a test is true."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import gast

from autodiff.core import Again, Ask, Break, For, Loop, NotYet, Reread, Value, While, handed
from autodiff.frontend.source import MARK
from autodiff.kinds.kind import Numeric, Scalar, number
from autodiff.lower.entries.above import Statements
from autodiff.lower.entries.entry import Box
from autodiff.lower.entries.listings import is_empty
from autodiff.lower.entries.lists import memory_of
from autodiff.lower.entries.truth import truth
from autodiff.lower.flow import opaque, peeled
from autodiff.lower.flow.branches import ordered
from autodiff.lower.flow.drawing import draw, grows
from autodiff.lower.flow.heap import Mark, begun, key_of, moved, snapshot
from autodiff.lower.flow.repeated import Repeated
from autodiff.normalize.build import assign, at, call
from autodiff.normalize.build import constant as written
from autodiff.primitives.applying import born
from autodiff.syntax.names import name
from autodiff.syntax.walk import shallow


def loop(statements: Statements, node: gast.For) -> None:
    """`for` over a range: what its body binds and reads again is carried."""
    iterable, backwards = node.iter, False
    if node.orelse:
        raise NotYet("a loop of another form")
    while (inner := turned(statements, iterable)) is not None:
        iterable, backwards = inner, not backwards
    if not is_call_of(statements, iterable, range) or not isinstance(node.target, gast.Name):
        draw(statements, node)
        return
    frame, target, origin = statements.frame, node.target.id, getattr(node, "origin", None)
    left = peeled.trips(frame, iterable, partial(is_call_of, statements, function=len))
    known = left is not None and left <= peeled.KNOWN
    if left == 1:  # what is decided of that is not so for other calls of a function
        _, node = statements.unit.once.setdefault(id(node), (node, shallow(node)))
    if left == 0 or len(iterable.args) == 1 and is_length_of_nothing(statements, iterable.args[0]):
        return

    def repeated(over: Value) -> None:
        names = ordered(node.body)
        work = Repeated(statements, node, names, left is not None, target)

        def make() -> Loop:
            return For(over, born(target, number("int"), named=True), origin, backwards)

        def fill(op: Loop) -> None:
            assert isinstance(op, For)
            frame.names[target] = op.variable
            iteration(statements, node.body)

        work.run(make, fill)

    def attempt() -> None:
        if left == 1:
            raise Again("a loop of one iteration")  # which is its body
        over = statements.value(iterable)  # before lists become memory
        begun(statements, lambda _: repeated(over))

    def apart(reason: Again) -> peeled.Peeled:
        over = iterable if reason.whose is not None or known else counted(statements, iterable)
        if over is None:
            raise handed(drawn(statements, origin, reason.reason), reason) from None
        return peeled.range_peeled(frame, node, over, backwards, reason)

    lists = {box: len(box.slots) for box in gone_over(statements, iterable)}
    if left == len(iterable.args) == 1:
        iterable = call(f"{MARK}range", gast.Constant(1, None))
    operations = statements.builder.block.operations
    mark = len(operations)
    decided(statements, node, attempt, apart, peeled.KNOWN if known else peeled.OFTEN)
    for box, count in lists.items():  # a loop over items goes on as long as there are some
        if memory_of(box) is None and len(box.slots) != count or grows(operations[mark:], box):
            raise drawn(statements, origin, "a list that grows while a loop goes over it")


def counted(statements: Statements, iterable: gast.Call) -> gast.Call | None:
    """A short range with its bounds written out, if these are constants: `len(self.layers)`."""
    mark = Mark(statements.frame)
    bounds = [statements.value(each).constant for each in iterable.args]
    mark.back()
    known = all(type(bound) is int for bound in bounds) and bounds[2:] != [0]  # which is an error
    if not known or len(range(*bounds)) > peeled.KNOWN:
        return None
    return call(f"{MARK}range", *map(written, bounds))


def turned(statements: Statements, node: gast.expr) -> gast.expr | None:
    """What a loop goes over backwards: `reversed(xs)`, `range(n)[::-1]`; None for other loops."""
    if is_call_of(statements, node, reversed) and len(node.args) == 1:
        return node.args[0]
    own = node
    while isinstance(own, gast.Subscript) and peeled.is_backwards(own.slice):
        own = own.value
    over = node.value if own is not node else None
    return over if is_call_of(statements, own, range) else None


def is_length_of_nothing(statements: Statements, node: Any) -> bool:
    """Whether a bound is the length of memory that is known to be empty: `range(len(xs))`."""
    if not is_call_of(statements, node, len) or not isinstance(node.args[0], gast.Name):
        return False
    held = statements.frame.names.get(node.args[0].id)
    memory = memory_of(held) if isinstance(held, Box) else None
    return memory is not None and is_empty(statements.unit, memory)


def decided(
    statements: Statements,
    node: gast.For | gast.While,
    attempt: Callable[[], None],
    apart: Callable[[Again], peeled.Peeled],
    often: int,
) -> None:
    """A loop, or what stands in its place, by what was decided so far: `Unit.instead` lasts, since
    loops around it are lowered several times. often: so many iterations may stand apart.
    """
    unit, key = statements.unit, key_of(statements.unit, node)
    if key not in unit.instead:
        mark = Mark(statements.frame)
        try:
            attempt()
            return
        except Again as again:
            test = again.whose if often == peeled.KNOWN else None
            within = isinstance(test, Value) and not mark.reaches(test)  # of an iteration
            if again.whose not in (None, key) and not within:
                raise
            mark.back()
            count = unit.rests.get(id(node), 0)
            if key not in unit.instead:
                if count >= often and again.whose == key:
                    raise
                unit.instead[key], rest = apart(again)
                unit.rests[id(rest)] = count + 1
    statements.block(unit.instead[key])


def drawn(statements: Statements, origin: Any, reason: str) -> Exception:
    """What is raised where a loop over places has to be one that asks each time."""
    if origin is None or origin in statements.unit.doors.drawing:
        return Again(reason)
    return Reread(origin, reason)


def gone_over(statements: Statements, over: gast.expr | None) -> list[Box]:
    """The lists of which a loop goes over the items."""
    names = {part.id for part in gast.walk(over) if isinstance(part, gast.Name)} if over else set()
    held = [statements.frame.names.get(own) for own in names & statements.frame.temporaries]
    return [entry for entry in held if isinstance(entry, Box)]


def as_long_as(statements: Statements, node: gast.While) -> None:
    """`while`: the test stands in the body, in front of what it asks for."""
    frame, unit = statements.frame, statements.unit
    if node.orelse:
        raise NotYet("a loop of another form")
    rest = id(node) in unit.rests
    known = begins(statements, node.test) if rest or is_settled(node.test) else None
    if known is False:
        return
    known = known if rest else None
    always = isinstance(node.test, gast.Constant) and bool(node.test.value)
    origin = getattr(node, "origin", None)

    def repeated(_: Mark) -> None:
        work = Repeated(statements, node, ordered(node.body), always)

        def fill(op: Loop) -> None:
            before = snapshot(frame)
            test = statements.truth_of(node.test)
            effects = [effect for inner in op.body.operations for effect in inner.effects()]
            changes = any(effect.what == "write" for effect in effects)
            if changes or moved(before, snapshot(frame)):
                unit.instead[work.key] = [asked_inside(statements, node)]
                raise Again("a test that changes something", work.key)
            statements.builder.origin = origin
            statements.builder.add(Ask([test], [], origin))
            iteration(statements, node.body)

        work.run(lambda: While([], origin), fill)

    often = peeled.KNOWN if known else peeled.OFTEN
    decided(
        statements,
        node,
        lambda: begun(statements, repeated),
        lambda reason: peeled.while_peeled(node, reason),
        often,
    )


def is_settled(test: gast.expr) -> bool:
    """Whether a part of a test asks for no variable: `while n < 2 and False`."""
    whole = isinstance(test, gast.BoolOp) and isinstance(test.op, gast.And)
    parts = test.values if whole else [test]
    return any(not any(isinstance(n, gast.Name) for n in gast.walk(part)) for part in parts)


def begins(statements: Statements, test: gast.expr) -> bool | None:
    """What a test gives where a loop begins, if that is known; else it is as if nobody asked."""
    mark = Mark(statements.frame)
    found = statements.truth_of(test)
    known = bool(found.constant) if found.is_constant else None
    if known is not False:
        mark.back()
    return known


def asked_inside(statements: Statements, node: gast.While) -> gast.While:
    """The same loop without a test, which is asked in the last iteration as in all others.

    before: `while test: ...`
    after: `while True: leave = True; if test: ...; leave = False; if leave: break`
    """
    own = statements.frame.temporary("leave")
    body, leaves = peeled.ending(node.body)
    last = leaves or gast.Constant(value=False, kind=None)
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
    before, leaves = peeled.ending(body)
    statements.block(before)
    if leaves is None:
        return
    flag = statements.content(leaves)
    if isinstance(flag.kind, Numeric) and not opaque.is_derived(statements.unit, flag):
        flag = truth(statements, flag)
    if flag.is_constant and not flag.constant:
        return
    if not isinstance(flag.kind, Scalar) or flag.op is None and not flag.is_constant:
        raise NotYet("break by a flag of an earlier iteration")
    statements.builder.origin = getattr(body[-1], "origin", None)
    statements.builder.add(Break([flag], []))


def is_call_of(statements: Statements, node: Any, function: Any) -> bool:
    """Whether an expression calls a builtin."""
    return (
        isinstance(node, gast.Call)
        and statements.static(node.func) is function
        and not node.keywords
    )
