"""Branches: two blocks, and what they bind, joined."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import gast

from autodiff.core import (
    Again,
    Block,
    Endless,
    If,
    NotYet,
    Raises,
    Unseen,
    Untaken,
    Value,
    Verbatim,
    entry_place,
    handed,
)
from autodiff.lower.entries.above import Statements, Unit
from autodiff.lower.flow.heap import Heap, Mark, begun, inside, moved, restore, snapshot
from autodiff.lower.flow.join import join, unite
from autodiff.syntax.names import name, writes
from autodiff.syntax.walk import walk

_MOST = 6
"""By so many tests a statement is divided, each within another, however often it stands then."""
_COPIES = 64
"""So often it may stand at all, if it is divided by more."""


def branch(statements: Statements, node: gast.If) -> None:
    """`if`: what the two bodies bind, and what they store into boxes, is joined."""
    test = statements.truth_of(node.test)
    known = test.constant if test.is_constant else statements.unit.facts.true.get(test)
    if known is not None or test.is_constant:
        statements.block(node.body if known else node.orelse)
    else:
        parted(statements, node, test)


def divided(statements: Statements, statement: gast.stmt, test: Value) -> None:
    """A statement as one for each outcome of an earlier test, by which a variable differs."""
    node = gast.If(test=gast.Constant(value=None, kind=None), body=[statement], orelse=[statement])
    node.origin = getattr(statement, "origin", None)
    unit = statements.unit
    unit.copies = unit.copies + 1 if unit.divided else 1
    if unit.divided >= _MOST and unit.copies > _COPIES:
        raise NotYet("a statement that reads what has very many forms by path")
    unit.divided += 1
    try:
        parted(statements, node, test)
    finally:
        unit.divided -= 1


def parted(
    statements: Statements, node: gast.If, test: Value, stops: tuple[bool, ...] = ()
) -> None:
    """A branch whose test is a value. stops: which of its blocks never come to their end."""
    frame, origin, both = statements.frame, getattr(node, "origin", None), (node.body, node.orelse)
    stops = stops or (diverges(node.body), diverges(node.orelse))

    def lower(mark: Mark) -> tuple[If, list[Any], Mark]:
        op = If(test, origin)
        op.block, op.divides = mark.builder.block, node.body == node.orelse
        ends = bodies(statements, node, op, mark, stops)
        if not any(stops) and None not in ends:
            unite(statements, ordered(node.body + node.orelse), op, mark, ends)
        return op, ends, mark

    op, ends, mark = begun(statements, lower)
    mark.back()
    left = tuple(map(is_left, op.blocks))
    if None in ends:  # until it is known what the other path gives
        ended = ends[0] is not None
        statements.unit.facts.assume(test, ended)
        statements.block(both[not ended])
        return
    if any(left) and not any(stops):
        parted(statements, node, test, left)
        return
    frame.builder.origin = origin
    if any(stops):
        frame.builder.add(op)
        for body, stop in zip(both, stops):
            if not stop:  # whoever comes by here comes from there
                statements.unit.facts.assume(test, body is node.body)
                statements.block(body)
        return
    join(frame, op, [*ordered(node.body + node.orelse), *moved(mark.heap, *ends)], ends)
    frame.builder.add(op)
    for value in op.results:
        value.block = op.block


def is_left(block: Block) -> bool:
    """Whether an error is raised at the end of a block."""
    last = block.operations[-1] if block.operations else None
    return isinstance(last, Verbatim) and isinstance(last.form, gast.Raise)


def diverges(body: list[gast.stmt]) -> bool:
    """Whether the end of a block is never reached."""
    last = body[-1] if body else None
    if isinstance(last, gast.If):
        return diverges(last.body) and diverges(last.orelse)
    return isinstance(last, gast.Raise)


def bodies(
    statements: Statements, node: gast.If, op: If, mark: Mark, stops: tuple[bool, ...]
) -> list[Any]:
    """Lowers both bodies, or those whose end is not reached; what places hold at their ends, None
    where nothing is known of one yet.
    """
    frame, outer, unit = statements.frame, mark.builder, statements.unit
    ends: list[Heap | None] = []
    missed: list[NotYet] = []
    for block, body, stop in zip(op.blocks, (node.body, node.orelse), stops):
        if any(stops) and not stop:
            continue
        restore(frame, mark.heap)
        frame.builder, risks, stores = outer.inside(block), unit.risks, unit.stores
        known = frame.unit.facts.given(op.test, block is op.blocks[0])
        try:
            with inside(frame, mark.heap), known, seen(unit):
                statements.block(body)
        except Raises as error:
            frame.builder = outer.inside(block)
            frame.builder.add(raising(statements, error))
        except NotYet as reason:
            if not is_final(unit, reason) or not unit.leaving or catches_all(unit) or stores:
                raise  # what was stored outside before would be seen: more is left out
            missed.append(reason)
            unit.risks, unit.stores = risks, stores
            del block.operations[:]
            frame.builder = outer.inside(block)
            frame.builder.add(raising(statements, Raises(Untaken, left(unit, reason))))
        except Endless:
            ends.append(None)
            continue
        ended(unit, stop, risks)
        ends.append(snapshot(frame))
    if ends and not any(ends):
        raise Endless
    if missed and all(map(is_left, op.blocks)):
        raise missed[0]
    return ends


@contextlib.contextmanager
def seen(unit: Unit) -> Iterator[None]:
    """A path that calls what is found when it runs is left out, where that is why others are."""
    before, unit.unseen = unit.unseen, None
    found = None
    try:
        yield
        found = unit.unseen
    except Raises:
        found = unit.unseen
        raise
    finally:  # what is lowered again, or in another way, is gone
        unit.unseen = found or before
    left = unit.doors.left if unit.leaving else None
    if found is not None and left is not None and left.unseen:
        why = Unseen(found)
        raise NotYet.saying(why.what, why.what, why.why, why.cure)


def ended(unit: Unit, stops: bool, risks: Any) -> None:
    """Nothing is read behind a path on which an error ends the function: whatever runs there
    changes nothing that matters.
    """
    if stops and not unit.attempts:
        unit.risks = unit.fixed, *risks[1:3], unit.holding, unit.reaches


def left(unit: Unit, reason: NotYet) -> str:
    """The words by which a path that is left out is told from others."""
    assert unit.doors.left is not None
    place = entry_place(reason)
    line = reason.reason if place is None else f"{reason.reason} (line {place.line})"
    unit.doors.left[line] = reason
    return line


def is_final(unit: Unit, reason: NotYet) -> bool:
    """Whether nobody lowers again for a reason: no loop around that may be written out."""
    alone = type(reason) is Again and reason.whose is None and not unit.repeating
    return type(reason) is NotYet or alone


def catches_all(unit: Unit) -> bool:
    """Whether a `try` around takes every error."""
    return any(BaseException in around.classes for around in unit.attempts)


def raising(statements: Statements, error: Raises) -> Verbatim:
    """What is raised for sure on one path alone, as a statement: `raise TypeError(...)`."""
    own = statements.unit.references.use(error.error.__name__, error.error)
    reason = gast.Constant(value=error.said, kind=None)
    call = gast.Call(func=name(own), args=[reason], keywords=[])
    made = Verbatim(gast.Raise(exc=call, cause=None), [], statements.builder.origin)
    made.error = error.error
    return made


@contextlib.contextmanager
def perhaps() -> Iterator[None]:
    """What is raised for sure in a block that may not run is not raised for sure."""
    try:
        yield
    except Raises as error:
        raise handed(NotYet(error.reason), error) from None


def ordered(body: list[gast.stmt]) -> Iterator[str]:
    """The names that statements bind, in the order of their first binding."""
    found: dict[str, None] = {}
    for statement in body:
        for node in walk(statement):
            if isinstance(node, gast.Name) and isinstance(node.ctx, (gast.Store, gast.Del)):
                found[node.id] = None
        found |= dict.fromkeys(sorted(writes(statement)))  # by definitions and imports, too
    return iter(list(found))
