"""Blocks of which one runs, reversed: which adjoints exist must agree where paths meet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import gast

from autodiff.analysis.kind import UNKNOWN, Kind, Scalar
from autodiff.analysis.references import has_memory
from autodiff.errors import InternalError
from autodiff.reverse import memory
from autodiff.reverse.bars import Bars
from autodiff.reverse.items import Block, Branch, Item, Step
from autodiff.reverse.places import Place, in_order
from autodiff.reverse.values import Bar
from autodiff.syntax.make import make
from autodiff.syntax.names import name, reads, store, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import clone, map_children, same

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def branch(reverse: Reverse, statement: gast.If) -> Item | list[Item]:
    """An `if`: each side is reversed on its own, then the adjoints present are made to agree."""
    origin = origin_of(statement)
    if len(statement.body) == 1 and isinstance(statement.body[0], gast.Break):
        return Step([statement], [], origin)
    flag, before = flagged(reverse, statement)
    sides = [lambda: reverse.block(statement.body), lambda: reverse.block(statement.orelse)]
    then, orelse = alternatives(reverse, statement, sides)
    new = map_children(lambda child: child, statement)
    new.test = clone(flag) if before else statement.test
    item = Branch(new, flag, then, orelse, origin)
    return [*before, item]


def alternatives(
    reverse: Reverse, statement: gast.stmt, make: Sequence[Callable[[], Block]]
) -> list[Block]:
    """Blocks of which one runs, each reversed from the adjoints present after all of them.

    Before the statement the same adjoints are present, in the same variables, whichever block ran.
    """
    bars = reverse.bars
    present, kinds_before = dict(bars.present), dict(reverse.kinds.names)
    blocks: list[Block] = []
    after: list[dict[Place, Bar]] = []
    for reversed_block in make:
        if blocks:
            bars.present = dict(present)
            restore_kinds(reverse, kinds_before, dict(reverse.kinds.names))
        blocks.append(reversed_block())
        after.append(bars.present)
    known = reverse.before[id(statement)]
    keep: list[Place] = []
    settle: list[Place] = []
    for place in {place: None for side in after for place in side}:
        if place[0] in known and place[0] in reverse.active:
            agreed = agreement([side.get(place) for side in after])
            (keep if agreed else settle).append(place)
    settle = in_order(set(settle) | disturbed(bars, keep, settle, after[0]))
    keep = [place for place in keep if place not in settle]
    endings: list[dict[Place, Bar]] = []
    for block, side in zip(blocks, after):
        bars.present = {p: bar for p, bar in side.items() if p in keep or p in settle}
        bars.out = []
        bars.settle(settle, reverse.certain[id(statement)])
        endings.append(bars.present)
        if bars.out:
            block.insert(0, Step([], bars.out))
    bars.present = {}
    for place in endings[0]:
        found = [side.get(place) for side in endings]
        joined = agreement(found) or merged(bars, place, found)
        if joined is None:
            raise InternalError(f"reverse: the adjoints of {place[0]} do not agree after a branch")
        bars.present[place] = joined
    bars.out = []
    return blocks


def disturbed(
    bars: Bars, keep: Sequence[Place], settle: Sequence[Place], side: dict[Place, Bar]
) -> set[Place]:
    """Adjoints on which the sides agree, but in variables that settling others overwrites."""
    found: set[Place] = set()
    while True:
        written = {bars.variable(place) for place in {*settle, *found}}
        more = {p for p in keep if p not in found and reads(side[p].node) & written}
        if not more:
            return found
        found |= more


def agreement(found: Sequence[Bar | None]) -> Bar | None:
    """The adjoint that alternatives have in common, None if they differ."""
    first = found[0]
    if first is None or not all(
        bar is not None and same(bar.node, first.node) and bar.kind == first.kind for bar in found
    ):
        return None
    return first._replace(owned=all(bar is not None and bar.owned for bar in found))


def merged(bars: Bars, place: Place, found: Sequence[Bar | None]) -> Bar | None:
    """An adjoint that is in one variable after all alternatives, but not of one kind."""
    present = [bar for bar in found if bar is not None]
    if len(present) < len(found) or not all(same(bar.node, present[0].node) for bar in present):
        return None
    full = all(bars.is_full(place, bar) for bar in present)
    kind = bars.kind(place) if full else UNKNOWN
    if isinstance(present[0].node, gast.Name):  # it has the kind of one alternative until here
        bars.define(present[0].node.id, kind)
    return Bar(present[0].node, kind, all(bar.owned for bar in present))


def restore_kinds(
    reverse: Reverse, before: dict[str, Kind], after: dict[str, Kind]
) -> None:
    """Reverse variables defined in the other branch are not defined with that kind here."""
    reverse.kinds.tell({**after, **before, **reverse.flag_kinds})


def flagged(reverse: Reverse, statement: gast.If) -> tuple[gast.expr, list[Item]]:
    """The expression that the reverse sweep tests, and a step that keeps it where it may change."""
    test = statement.test
    assigned = writes([*statement.body, *statement.orelse])
    content = isinstance(test, gast.Name) and has_memory(test.id, reverse.kinds)
    kept = isinstance(test, gast.Name) and test.id not in assigned and not content
    if kept or reverse.is_stable(test, statement):
        return test, []
    kind = Scalar("bool") if content else reverse.kinds.known(test)
    flag = reverse.flag("branch", kind)
    value = quote("f(t)", f=reverse.helpers.use("bool", bool), t=test) if content else test
    assignment = make(gast.Assign, targets=[store(flag)], value=value)
    assignment.origin = origin_of(statement)
    changed = memory.check_unchanged(reverse, statement, value)
    return name(flag), [Step([assignment], [], origin_of(statement), mutates=changed)]
