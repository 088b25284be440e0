"""Branches: two blocks, and what they bind, joined."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import gast

from autodiff.analysis.kind import Array, Scalar, forget_values
from autodiff.core.notyet import NotYet
from autodiff.core.operation import If
from autodiff.core.value import Value
from autodiff.lower.entry import Entry, Unbound, alike, leaves, rebuilt
from autodiff.lower.heap import Heap, Place, hint, inside, moved, put, restore, snapshot
from autodiff.lower.lists import Needed, become
from autodiff.primitives.builder import Builder
from autodiff.primitives.either import either

if TYPE_CHECKING:
    from autodiff.lower.statements import Statements


def branch(statements: Statements, node: gast.If) -> None:
    """`if`: what the two bodies bind, and what they store into boxes, is joined."""
    frame = statements.frame
    test = statements.content(node.test)
    if test.is_constant:
        statements.block(node.body if test.constant else node.orelse)
        return
    if not isinstance(test.kind, Scalar):
        raise NotYet("a test of what may be no number")
    while True:
        op = If(test, getattr(node, "origin", None))
        before, outer = snapshot(frame), frame.builder
        try:
            ends = bodies(statements, node, op, before, outer)
        except Needed as needed:
            again(statements, needed, before, outer)
            continue
        finally:
            restore(frame, before)
            frame.builder = outer
        break
    places: list[Place] = [*ordered(node.body + node.orelse), *moved(before, *ends)]
    for place in places:
        one, other = (end.get(place) for end in ends)
        put(frame, place, merged(op, hint(place), one, other))
    outer.origin = getattr(node, "origin", None)
    outer.add(op)
    for value in op.results:
        value.block = op.block


def bodies(
    statements: Statements, node: gast.If, op: If, before: Heap, outer: Builder
) -> list[Heap]:
    """Lowers both bodies; what places hold at their ends."""
    frame = statements.frame
    ends = []
    for block, body in zip(op.blocks, (node.body, node.orelse)):
        restore(frame, before)
        frame.builder = outer.inside(block)
        with inside(frame, before):
            statements.block(body)
        ends.append(snapshot(frame))
    return ends


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
    if isinstance(one, Unbound) or isinstance(other, Unbound):
        return Unbound(identifier)
    if not alike(one, other):
        return Unbound(identifier)
    made = []
    for first, second in zip(leaves(one), leaves(other)):
        if first is second:
            made.append(first)
            continue
        result = joined(identifier, first, second)
        op.merge(first, second, result)
        made.append(result)
    return rebuilt(one, iter(made))


def joined(identifier: str, first: Value, second: Value) -> Value:
    """What is one of two values."""
    kind = either(first.kind, second.kind)
    if not isinstance(kind, (Array, Scalar)):
        raise NotYet(
            f"a variable that is {type(first.kind).__name__} or {type(second.kind).__name__}"
        )
    return Value(identifier, forget_values(kind), first.memory, named=True)


def ordered(body: list[gast.stmt]) -> Iterator[str]:
    """The names that statements bind, in the order of their first binding."""
    found: dict[str, None] = {}
    for statement in body:
        for node in gast.walk(statement):
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
                found[node.id] = None
            elif isinstance(node, gast.FunctionDef):
                found[node.name] = None
    return iter(list(found))
