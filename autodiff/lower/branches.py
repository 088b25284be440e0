"""Branches: two blocks, and what they bind, joined."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import gast

from autodiff.analysis.kind import Array, Kind, Numeric, Scalar, Text, forget_values
from autodiff.core.notyet import NotYet, Raises
from autodiff.core.operation import If, Load
from autodiff.core.value import NOTHING, Value, nothing
from autodiff.lower.entry import (
    MEMORY,
    Box,
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
from autodiff.lower.heap import Heap, Place, hint, inside, moved, put, restore, snapshot
from autodiff.lower.lists import become, fits
from autodiff.primitives.builder import Builder
from autodiff.primitives.containing import is_container
from autodiff.primitives.either import either
from autodiff.primitives.memory import is_numeric

if TYPE_CHECKING:
    from autodiff.lower.statements import Statements


def branch(statements: Statements, node: gast.If) -> None:
    """`if`: what the two bodies bind, and what they store into boxes, is joined."""
    frame = statements.frame
    test = statements.truth_of(node.test)
    if test.is_constant:
        statements.block(node.body if test.constant else node.orelse)
        return
    stops = diverges(node.body), diverges(node.orelse)
    while True:
        op = If(test, getattr(node, "origin", None))
        before, outer = snapshot(frame), frame.builder
        wanted: Needed | None = None
        try:
            ends = bodies(statements, node, op, before, outer, stops)
            if not any(stops):
                hold(statements, node, op, before, outer, ends)
        except Needed as needed:
            wanted = needed
        finally:
            restore(frame, before)
            frame.builder = outer
        if wanted is None:
            break
        again(statements, wanted, before, outer)
    if any(stops):
        outer.origin = getattr(node, "origin", None)
        outer.add(op)
        for body, stop in zip((node.body, node.orelse), stops):
            if not stop:  # whoever comes by here comes from there
                statements.block(body)
        return
    places: list[Place] = [*ordered(node.body + node.orelse), *moved(before, *ends)]
    for place in places:
        one, other = (end.get(place) for end in ends)
        put(frame, place, merged(op, hint(place), one, other))
    outer.origin = getattr(node, "origin", None)
    outer.add(op)
    for value in op.results:
        value.block = op.block


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
) -> list[Heap]:
    """Lowers both bodies, or those whose end is not reached; what places hold at their ends."""
    frame = statements.frame
    ends = []
    for block, body, stop in zip(op.blocks, (node.body, node.orelse), stops):
        if any(stops) and not stop:
            continue
        restore(frame, before)
        frame.builder = outer.inside(block)
        with inside(frame, before), perhaps():
            statements.block(body)
        ends.append(snapshot(frame))
    return ends


@contextlib.contextmanager
def perhaps() -> Iterator[None]:
    """What is raised for sure in a block that may not run is not raised for sure."""
    try:
        yield
    except Raises as error:
        raise NotYet(error.reason) from None


def hold(
    statements: Statements,
    node: gast.If,
    op: If,
    before: Heap,
    outer: Builder,
    ends: list[Heap],
) -> None:
    """Containers that a variable holds on one path or the other become memory."""
    frame = statements.frame
    places: list[Place] = [*ordered(node.body + node.orelse), *moved(before, *ends)]
    for place in places:
        found = [bound(end.get(place)) for end in ends]
        if found[0] is found[1] or not all(
            isinstance(entry, Box) and fits(entry) for entry in found
        ):
            continue
        for k, box in enumerate(found):
            assert isinstance(box, Box)
            if MEMORY in ends[k].slots.get(box, box.slots):
                continue
            if box in before.slots:
                raise Needed(box)
            restore(frame, ends[k])
            frame.builder = outer.inside(op.blocks[k])
            become(statements, box)
            ends[k] = snapshot(frame)


def again(statements: Statements, needed: Needed, before: Heap, outer: Builder) -> None:
    """Makes memory of a list before a block, to lower that again; or leaves it to others."""
    frame = statements.frame
    restore(frame, before)
    frame.builder = outer
    if needed.box not in before.slots or any(needed.box in h.slots for h in frame.unit.around):
        raise needed
    become(statements, needed.box)


def merged(op: If, identifier: str, one: Entry, other: Entry) -> Entry:
    """What a variable holds after a branch."""
    if one is other or one == other:
        return one
    for entry, against in ((one, other), (other, one)):
        if isinstance(entry, Stale):
            known = entry.entry is not None or isinstance(against, (Unbound, Mixed, Stale))
            return entry if known else Stale(entry.loop, entry.name, bound(against))
        if isinstance(entry, Mixed):
            return entry
    if isinstance(one, Unbound):
        one = missing(identifier, other)
    elif isinstance(other, Unbound):
        other = missing(identifier, one)
    if not alike(bound(one), bound(other)):
        return Mixed("a variable that differs in form by path")
    kinds = []
    for first, second in zip(leaves(one), leaves(other)):
        kind = joined_kind(first, second)
        if kind is None and first is not second:
            words = f"{type(first.kind).__name__} or {type(second.kind).__name__}"
            return Mixed(f"a variable that is {words}")
        kinds.append(kind)
    made = []
    for first, second, kind in zip(leaves(one), leaves(other), kinds):
        if first is second:
            made.append(first)
            continue
        assert kind is not None
        if isinstance(kind, Numeric):
            first, second = apart(op, first, second)
        memory = second.memory if first.constant is NOTHING else first.memory
        result = Value(identifier, forget_values(kind), memory, named=True)
        result.partial = first.partial or second.partial
        op.merge(first, second, result)
        made.append(result)
    whole = rebuilt(bound(one), iter(made))
    return Maybe(whole) if isinstance(one, Maybe) or isinstance(other, Maybe) else whole


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
    count = sum(1 for _ in leaves(entry))
    return Maybe(rebuilt(bound(entry), (nothing(identifier) for _ in range(count))))


def joined_kind(first: Value, second: Value) -> Kind | None:
    """The kind of what is one of two values, None where such values are not joined yet."""
    kinds = [value.kind for value in (first, second) if value.constant is not NOTHING]
    kind = either(kinds[0], kinds[-1])
    return kind if is_carried(kind) else None


def is_carried(kind: Kind) -> bool:
    """Whether branches join values of a kind, and loops hand them on."""
    return is_numeric(kind) or isinstance(kind, Text) or is_container(kind)


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
