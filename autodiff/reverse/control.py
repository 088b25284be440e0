"""Branches and loops, reversed: which adjoints exist must agree where paths meet."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import gast

from autodiff.analysis.kind import Array, Kind, Scalar, Static
from autodiff.errors import UnsupportedSyntaxError
from autodiff.reverse.bars import Bar, Place
from autodiff.reverse.items import Block, Branch, Item, Loop, Step
from autodiff.syntax.names import name, reads, store, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import clone, map_children, same

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def branch(reverse: Reverse, statement: gast.If) -> Item | list[Item]:
    """An `if`: each side is reversed on its own, then the adjoints present are made to agree."""
    origin = origin_of(statement)
    if len(statement.body) == 1 and isinstance(statement.body[0], gast.Break):
        return Step([statement], [], origin)
    bars = reverse.bars
    flag, before = flagged(reverse, statement)
    present, kinds_before = dict(bars.present), dict(reverse.kinds.names)
    then = reverse.block(statement.body)
    after_then, kinds_then = bars.present, dict(reverse.kinds.names)
    bars.present = dict(present)
    restore_kinds(reverse, kinds_before, kinds_then)
    orelse = reverse.block(statement.orelse)
    after_else = bars.present
    known = reverse.before[id(statement)]
    keep, settle = [], []
    for place in {**after_then, **after_else}:
        if place[0] not in known or place[0] not in reverse.active:
            continue
        left, right = after_then.get(place), after_else.get(place)
        if left and right and same(left.node, right.node) and left.kind == right.kind:
            keep.append(place)
        else:
            settle.append(place)
    settle.sort(key=lambda place: (place[0], repr(place[1])))
    endings = []
    for side in (after_then, after_else):
        bars.present = {p: bar for p, bar in side.items() if p in keep or p in settle}
        bars.out = []
        bars.settle(settle)
        endings.append((bars.out, bars.present))
    for block, (out, _) in zip((then, orelse), endings):
        if out:
            block.insert(0, Step([], out))
    joined: dict[Place, Bar] = {}
    for place, bar in endings[0][1].items():
        other = endings[1][1][place] if place in endings[1][1] else None
        if other is not None and same(bar.node, other.node):
            joined[place] = replace(bar, owned=bar.owned and other.owned)
            if bar.kind != other.kind:
                joined[place] = replace(joined[place], kind=bars.kind(place))
    bars.present = joined
    bars.out = []
    new = map_children(lambda child: child, statement)
    new.test = clone(flag) if before else statement.test
    item = Branch(new, flag, then, orelse, origin)
    return [*before, item]


def restore_kinds(
    reverse: Reverse, before: dict[str, Kind], after: dict[str, Kind]
) -> None:
    """Reverse variables defined in the other branch are not defined with that kind here."""
    reverse.kinds.names = {**after, **before, **reverse.flag_kinds}


def flagged(reverse: Reverse, statement: gast.If) -> tuple[gast.expr, list[Item]]:
    """The expression that the reverse sweep tests, and a step that keeps it where it may change."""
    test = statement.test
    if isinstance(test, gast.Name) or reverse.is_stable(test, statement):
        return test, []
    flag = reverse.flag("branch", reverse.kinds.known(test))
    assignment = gast.Assign(targets=[store(flag)], value=test)
    assignment.origin = origin_of(statement)
    return name(flag), [Step([assignment], [], origin_of(statement))]


def loop(reverse: Reverse, statement: gast.For | gast.While) -> Item | list[Item]:
    """A loop: the adjoints that cross iterations are settled in variables before and after."""
    from autodiff.reverse.reverse import carried

    bars = reverse.bars
    origin = origin_of(statement)
    assigned = writes(statement)
    crossing = carried(statement)
    touched = assigned | reads(statement)
    entering = dict(bars.present)
    bars.out = []
    taken = set(bars.names.taken)
    kinds_before = dict(reverse.kinds.names)
    head = {place for place, bar in entering.items() if needs_settling(bars, place, bar, touched)}
    shared: set[Place] = set()
    while True:
        bars.names.taken = set(taken)
        reverse.kinds.names = {**kinds_before, **reverse.flag_kinds}
        bars.mutated = set()
        start = begin(reverse, head, entering, shared)
        bars.present = dict(start)
        body = reverse.loop_body(statement)
        after = bars.present
        bars.present = {
            place: bar
            for place, bar in after.items()
            if place in head
            or (place[0] in reverse.active and (place[0] not in assigned or place[0] in crossing))
            or place in start and same(start[place].node, bar.node)
        }
        grown = {
            place
            for place, bar in bars.present.items()
            if place not in head and not (place in start and same(start[place].node, bar.node))
        }
        if grown:
            head |= grown
            continue
        bars.out = []
        bars.settle(in_order(head))
        ending = bars.out
        lost = {p for p in head if not bars.present[p].owned and p not in shared} & bars.mutated
        if lost:
            shared |= lost
            continue
        break
    if ending:
        body.insert(0, Step([], ending))
    final = bars.present
    mutated = set(bars.mutated)
    bars.present = dict(entering)
    bars.out = []
    bars.settle(in_order(head))
    for place in in_order(head & mutated - shared):
        if isinstance(bars.kind(place), Array) and not bars.present[place].owned:
            bars.own(place)
    opening = bars.out
    bars.out = []
    known = reverse.before[id(statement)]
    bars.present = {
        place: bar
        for place, bar in {**bars.present, **final}.items()
        if place[0] in known and place[0] in reverse.active
    }
    for place in head:
        if place in bars.present:
            owned = final[place].owned and place not in shared and place in mutated
            bars.present[place] = replace(bars.present[place], owned=owned)
    items: list[Item] = looped(reverse, statement, body)
    if opening:
        items.append(Step([], opening))
    return items


def needs_settling(bars: object, place: Place, bar: Bar, touched: set[str]) -> bool:
    """Whether an adjoint present after a loop must have its own variable inside it."""
    if place[0] in touched:
        return True
    variable = bars.variables.get(place)  # type: ignore[attr-defined]
    return any(read != variable for read in reads(bar.node))


def begin(
    reverse: Reverse, head: set[Place], entering: dict[Place, Bar], shared: set[Place]
) -> dict[Place, Bar]:
    """The adjoints at the start of a reversed iteration."""
    bars = reverse.bars
    start = {place: bar for place, bar in entering.items() if place not in head}
    for place in in_order(head):
        variable = bars.variable(place)
        kind = bars.kind(place)
        bars.define(variable, kind)
        start[place] = Bar(name(variable), kind, place not in shared)
    return start


def in_order(places: set[Place]) -> list[Place]:
    """Places in an order that does not depend on hashing."""
    return sorted(places, key=lambda place: (place[0], repr(place[1])))


def looped(reverse: Reverse, statement: gast.For | gast.While, body: Block) -> list[Item]:
    """The loop item, with a counter where the number of iterations is not known in advance."""
    origin = origin_of(statement)
    stop = trailing_break(statement)
    if isinstance(statement, gast.For) and stop is None:
        return counted(reverse, statement, body)
    steps = reverse.flag("steps", Scalar("int"))
    start = quote_statements("n = 0", n=steps)
    count = quote_statements("n += 1", n=steps)
    for made in (*start, *count):
        made.origin = origin
    body.insert(0, Step(count, [], origin))
    if isinstance(statement, gast.For):
        header = for_header(statement.target.id, stopped_range(reverse, statement.iter, steps))
        before, new = bounds(reverse, statement)
        if before:
            header = for_header(new.target.id, stopped_range(reverse, new.iter, steps))
        return [Step([*start, *before], [], origin), Loop(new, header, body, origin)]
    header = for_header("_", quote("range(n)", n=steps))
    return [Step(start, [], origin), Loop(statement, header, body, origin)]


def counted(reverse: Reverse, statement: gast.For, body: Block) -> list[Item]:
    origin = origin_of(statement)
    before, new = bounds(reverse, statement)
    header = for_header(new.target.id, backwards(new.iter))
    items: list[Item] = [Step(before, [], origin)] if before else []
    return [*items, Loop(new, header, body, origin)]


def bounds(reverse: Reverse, statement: gast.For) -> tuple[list[gast.stmt], gast.For]:
    """Keep the bounds of a range that the body (or a later statement) changes."""
    changing = reads(statement.iter) & reverse.reassigned(statement)
    if not changing:
        return [], statement
    kept = reverse.flag("steps_range", Static(range))
    assignment = gast.Assign(targets=[store(kept)], value=statement.iter)
    assignment.origin = origin_of(statement)
    if isinstance(statement.iter, gast.Call) and statement.iter.func.id == "reversed":
        assignment.value = quote("r[::-1]", r=statement.iter.args[0])
    new = map_children(lambda child: child, statement)
    new.iter = name(kept)
    return [assignment], new


def backwards(iterable: gast.expr) -> gast.expr:
    """The range of a loop, from its end to its start."""
    if isinstance(iterable, gast.Call) and isinstance(iterable.func, gast.Name):
        if iterable.func.id == "reversed":
            return iterable.args[0]
    return quote("reversed(r)", r=iterable)


def stopped_range(reverse: Reverse, iterable: gast.expr, steps: str) -> gast.expr:
    """The first `steps` elements of a range, backwards."""
    if isinstance(iterable, gast.Call) and isinstance(iterable.func, gast.Name):
        if iterable.func.id == "range" and len(iterable.args) == 1:
            return quote("reversed(range(n))", n=steps)
        if iterable.func.id == "reversed":
            return quote("reversed(r[::-1][:n])", r=iterable.args[0], n=steps)
    return quote("reversed(r[:n])", r=iterable, n=steps)


def for_header(target: str, iterable: gast.expr) -> gast.For:
    """A `for` without a body."""
    return gast.For(
        target=store(target), iter=iterable, body=[], orelse=[], type_comment=None
    )


def trailing_break(statement: gast.For | gast.While) -> gast.If | None:
    """The `if stop: break` that may end a loop body."""
    if not statement.body:
        return None
    last = statement.body[-1]
    if isinstance(last, gast.If) and len(last.body) == 1 and isinstance(last.body[0], gast.Break):
        return last
    return None


def attempt(reverse: Reverse, statement: gast.Try) -> Item:
    """A `try` that no derivative flows through is carried over; others are not supported yet."""
    involved = writes(statement) & reverse.active
    if involved:
        raise UnsupportedSyntaxError(
            f"`{sorted(involved)[0]}` carries a derivative and is assigned inside a try statement",
            origin_of(statement),
            why="an exception could leave its computation half done",
            cure="move the computation out of the try statement",
        )
    return Step([statement], [], origin_of(statement))
