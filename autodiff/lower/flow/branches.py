"""Branches: two blocks, and what they bind, joined."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import gast

from autodiff.analysis.kind import Array, Kind, Numeric, Scalar, Text, differentiable, forget_values
from autodiff.core.notyet import NotYet, Raises
from autodiff.core.operation import Block, If, Load
from autodiff.core.trying import told
from autodiff.core.value import NOTHING, Value, nothing
from autodiff.core.verbatim import Verbatim
from autodiff.lower.entries.entry import (
    Endless,
    Entry,
    Maybe,
    Mixed,
    Needed,
    Stale,
    Unbound,
    alike,
    bound,
    leaves,
    rebuilt,
)
from autodiff.lower.entries.lists import become
from autodiff.lower.entries.mixed import holds_mixed, mixed
from autodiff.lower.flow.heap import Heap, Place, hint, inside, moved, put, restore, snapshot
from autodiff.lower.flow.united import ends_in_memory
from autodiff.primitives.builder import Builder
from autodiff.primitives.containing import is_container
from autodiff.primitives.either import either
from autodiff.primitives.memory import is_numeric
from autodiff.primitives.opaque import OPAQUE, is_vague
from autodiff.syntax.names import name

if TYPE_CHECKING:
    from autodiff.lower.flow.frame import Unit
    from autodiff.lower.statement.statements import Statements


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
    parted(statements, node, test)


def parted(statements: Statements, node: gast.If, test: Value) -> None:
    """A branch whose test is a value."""
    frame, facts = statements.frame, statements.unit.facts
    stops = diverges(node.body), diverges(node.orelse)
    while True:
        op = If(test, getattr(node, "origin", None))
        before, outer = snapshot(frame), frame.builder
        op.block, op.divides = outer.block, node.body == node.orelse
        try:
            ends = bodies(statements, node, op, before, outer, stops)
            reached = [end for end in ends if end is not None]
            if not any(stops) and len(reached) == 2:
                names = ordered(node.body + node.orelse)
                reached = ends_in_memory(statements, names, op, before, outer, reached)
        except Needed as needed:
            again(statements, needed, before, outer)
            continue
        restore(frame, before)
        frame.builder = outer
        if None in ends:  # until it is known what the other path gives
            statements.block(node.body if ends[1] is None else node.orelse)
            return
        if not any(stops) and any(map(is_left, op.blocks)):
            stops = is_left(op.blocks[0]), is_left(op.blocks[1])
            continue
        break
    if any(stops):
        outer.origin = getattr(node, "origin", None)
        outer.add(op)
        for body, stop in zip((node.body, node.orelse), stops):
            if not stop:  # whoever comes by here comes from there
                facts.assume(test, body is node.body)
                statements.block(body)
        return
    places: list[Place] = [*ordered(node.body + node.orelse), *moved(before, *reached)]
    for place in places:
        one, other = (end.get(place) for end in reached)
        put(frame, place, merged(statements.unit, op, hint(place), one, other))
    outer.origin = getattr(node, "origin", None)
    outer.add(op)
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
    statements: Statements,
    node: gast.If,
    op: If,
    before: Heap,
    outer: Builder,
    stops: tuple[bool, bool],
) -> list[Heap | None]:
    """Lowers both bodies, or those whose end is not reached; what places hold at their ends."""
    frame = statements.frame
    ends: list[Heap | None] = []
    for block, body, stop in zip(op.blocks, (node.body, node.orelse), stops):
        if any(stops) and not stop:
            continue
        restore(frame, before)
        frame.builder = outer.inside(block)
        known = frame.unit.facts.given(op.test, block is op.blocks[0])
        try:
            with inside(frame, before), known:
                statements.block(body)
        except Raises as error:
            frame.builder = outer.inside(block)
            frame.builder.add(raising(statements, error))
        except Endless:
            ends.append(None)
            continue
        ends.append(snapshot(frame))
    if ends and not any(ends):
        raise Endless
    return ends


def raising(statements: Statements, error: Raises) -> Verbatim:
    """What is raised for sure on one path alone, as a statement: `raise TypeError(...)`."""
    own = statements.unit.references.use(error.error.__name__, error.error)
    reason = gast.Constant(value=error.reason, kind=None)
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
        raise NotYet(error.reason) from None


def again(statements: Statements, needed: Needed, before: Heap, outer: Builder) -> None:
    """Makes memory of a list before a block, to lower that again; or leaves it to others."""
    frame = statements.frame
    restore(frame, before)
    frame.builder = outer
    if needed.box not in before.slots or any(needed.box in h.slots for h in frame.unit.around):
        raise needed
    become(statements, needed.box)


def merged(unit: Unit, op: If, identifier: str, one: Entry, other: Entry) -> Entry:
    """What a variable holds after a branch."""
    if one is other or one == other:
        return one
    for entry, against in ((one, other), (other, one)):
        if isinstance(entry, Stale):
            known = entry.entry is not None or isinstance(against, (Unbound, Mixed, Stale))
            return entry if known else Stale(entry.loop, entry.name, bound(against))
        if isinstance(entry, Mixed) and entry.test is None:
            return entry
    first, second = one, other
    if isinstance(one, Unbound):
        first = missing(identifier, other)
    elif isinstance(other, Unbound):
        second = missing(identifier, one)
    reason = differing(first, second)
    if reason:
        return mixed(unit, op, identifier, one, other, reason)
    pairs = list(zip(leaves(first), leaves(second)))
    made = [joined(unit, op, identifier, *pair) for pair in pairs]
    whole = rebuilt(bound(first), iter(made))
    return Maybe(whole) if isinstance(first, Maybe) or isinstance(second, Maybe) else whole


def differing(one: Entry, other: Entry) -> str:
    """In what two entries differ, if not in values alone."""
    if not alike(bound(one), bound(other)) or holds_mixed(one) or holds_mixed(other):
        return "a variable that differs in form by path"
    for first, second in zip(leaves(one), leaves(other)):
        if joined_kind(first, second) is None and first is not second:
            return f"a variable that is {type(first.kind).__name__} or {type(second.kind).__name__}"
    return ""


def joined(unit: Unit, op: If, identifier: str, first: Value, second: Value) -> Value:
    """One of two values."""
    if first is second:
        return first
    facts = unit.facts
    exists = [facts.exists.get(first), facts.exists.get(second)]
    if told(op, 1) in exists[:1]:
        first = nothing(identifier)
    elif told(op, 0) in exists[1:]:
        second = nothing(identifier)
    kind = joined_kind(first, second)
    assert kind is not None
    if isinstance(kind, Numeric):
        first, second = apart(op, first, second)
    memory = second.memory if first.constant is NOTHING else first.memory
    result = Value(identifier, forget_values(kind), memory, named=True)
    result.partial = first.partial or second.partial
    op.merge(first, second, result)
    if result.partial and NOTHING in (first.constant, second.constant):
        facts.exists[result] = told(op, 0 if second.constant is NOTHING else 1)
    if first.is_constant and second.is_constant and not result.partial:
        test, truth = told(op, 0)
        ends = (first, second) if truth else (second, first)
        facts.choices[result] = Mixed("a constant that differs by path", test, *ends)
    for side, (own, other) in enumerate(((first, second), (second, first))):
        test, truth = told(op, side)
        known = truth if own is test else own.constant
        if isinstance(known, (bool, int, float)):
            facts.imply(result, not known, (test, not truth), (other, not known))
    return result


def apart(op: If, *values: Value) -> list[Value]:
    """Where a number is joined with an array, this is what the array holds: what may be a number is
    never changed in place, and `settle` sees to it that nobody changes the array any more.
    """
    if not any(isinstance(value.kind, Scalar) for value in values):
        return list(values)
    made = []
    for value, block in zip(values, op.blocks):
        if isinstance(value.kind, Array) and value.constant is not NOTHING:
            load = Load([value], [Value(value.hint, value.kind)], None, op.origin)
            load.apart, load.block, load.result.block = True, block, block
            block.operations.append(load)
            value = load.result
        made.append(value)
    return made


def missing(identifier: str, entry: Entry) -> Entry:
    """What stands for an entry where the variable holds nothing."""
    if holds_mixed(entry) or not any(True for _ in leaves(entry)):
        return Unbound()
    count = sum(1 for _ in leaves(entry))
    return Maybe(rebuilt(bound(entry), (nothing(identifier) for _ in range(count))))


def joined_kind(first: Value, second: Value) -> Kind | None:
    """The kind of what is one of two values, None where such values are not joined yet."""
    kinds = [value.kind for value in (first, second) if value.constant is not NOTHING]
    if any(map(is_vague, kinds)):
        inert = all(v.is_constant or not differentiable(v.kind) for v in (first, second))
        return OPAQUE if inert else None
    kind = either(kinds[0], kinds[-1])
    return kind if is_carried(kind) else None


def is_carried(kind: Kind) -> bool:
    """Whether branches join values of a kind, and loops hand them on."""
    return is_numeric(kind) or isinstance(kind, Text) or is_container(kind) or is_vague(kind)


def ordered(body: list[gast.stmt]) -> Iterator[str]:
    """The names that statements bind, in the order of their first binding."""
    found: dict[str, None] = {}
    for statement in body:
        for node in gast.walk(statement):
            if isinstance(node, gast.Name) and isinstance(node.ctx, (gast.Store, gast.Del)):
                found[node.id] = None
            elif isinstance(node, gast.FunctionDef):
                found[node.name] = None
    return iter(list(found))
