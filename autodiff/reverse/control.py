"""Branches and loops, reversed: which adjoints exist must agree where paths meet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import gast

from autodiff.analysis.kind import UNKNOWN, Array, Kind, Scalar, Static
from autodiff.reverse.bars import Bar, Bars, Place
from autodiff.reverse.items import Block, Branch, Item, Loop, Step
from autodiff.reverse.listing import occurrences
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
    settle = in_order(set(settle))
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
        if joined is not None:
            bars.present[place] = joined
    bars.out = []
    return blocks


def agreement(found: Sequence[Bar | None]) -> Bar | None:
    """The adjoint that alternatives have in common, None if they differ."""
    first = found[0]
    if first is None or not all(
        bar is not None and same(bar.node, first.node) and bar.kind == first.kind for bar in found
    ):
        return None
    return replace(first, owned=all(bar is not None and bar.owned for bar in found))


def merged(bars: Bars, place: Place, found: Sequence[Bar | None]) -> Bar | None:
    """An adjoint that is in one variable after all alternatives, but not of one kind."""
    present = [bar for bar in found if bar is not None]
    if len(present) < len(found) or not all(same(bar.node, present[0].node) for bar in present):
        return None
    full = all(bars.is_full(place, bar) for bar in present)
    kind = bars.kind(place) if full else UNKNOWN
    return Bar(present[0].node, kind, all(bar.owned for bar in present))


def restore_kinds(
    reverse: Reverse, before: dict[str, Kind], after: dict[str, Kind]
) -> None:
    """Reverse variables defined in the other branch are not defined with that kind here."""
    reverse.kinds.names = {**after, **before, **reverse.flag_kinds}


def flagged(reverse: Reverse, statement: gast.If) -> tuple[gast.expr, list[Item]]:
    """The expression that the reverse sweep tests, and a step that keeps it where it may change."""
    test = statement.test
    kept = isinstance(test, gast.Name) and test.id not in writes([*statement.body, *statement.orelse])
    if kept or reverse.is_stable(test, statement):
        return test, []
    flag = reverse.flag("branch", reverse.kinds.known(test))
    assignment = gast.Assign(targets=[store(flag)], value=test)
    assignment.origin = origin_of(statement)
    return name(flag), [Step([assignment], [], origin_of(statement))]


def loop(reverse: Reverse, statement: gast.For | gast.While) -> Item | list[Item]:
    """A loop: the adjoints that cross iterations are settled in variables before and after."""
    from autodiff.reverse.reverse import carried

    bars = reverse.bars
    assigned = writes(statement)
    crossing = carried(statement)
    touched = assigned | reads(statement)
    entering = dict(bars.present)
    bars.out = []
    taken = set(bars.names.taken)
    made = set(bars.made)
    kinds_before = dict(reverse.kinds.names)
    head = {place for place, bar in entering.items() if needs_settling(bars, place, bar, touched)}
    shared: set[Place] = set()
    certain = reverse.certain[id(statement)]
    while True:
        bars.names.taken = taken | set(bars.variables.values())
        bars.made = made | set(bars.variables.values())
        reverse.kinds.names = {**kinds_before, **reverse.flag_kinds}
        bars.mutated = set()
        start = begin(reverse, head, entering, shared, certain)
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
        bars.settle(in_order(head), certain)
        ending = bars.out
        lost = {p for p in head if not bars.present[p].owned and p not in shared} & bars.mutated
        if lost:
            shared |= lost
            continue
        break
    once(reverse, statement, body, {p for p in head if p not in entering})
    if ending:
        body.insert(0, Step([], ending))
    final = bars.present
    mutated = set(bars.mutated)
    bars.present = dict(entering)
    bars.out = []
    bars.settle(in_order(head), certain)
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


def once(
    reverse: Reverse, statement: gast.For | gast.While, body: Block, fresh: set[Place]
) -> None:
    """`x_bar[k] += v` as `x_bar[k] = v` where the loop reaches each element of fresh zeros once."""
    if not isinstance(statement, gast.For) or not counts_up(statement.iter):
        return
    counter = statement.target.id
    if counter in writes(statement.body):
        return
    for place in in_order(fresh):
        variable = reverse.bars.variable(place)
        if occurrences(body)[variable] != 1:
            continue
        for item in body:
            for index, made in enumerate(item.adjoint if isinstance(item, Step) else []):
                target = made.target if isinstance(made, gast.AugAssign) else None
                if isinstance(target, gast.Subscript) and is_at(target, variable, counter):
                    item.adjoint[index] = gast.Assign(targets=[target], value=made.value)


def is_at(target: gast.Subscript, variable: str, counter: str) -> bool:
    """Whether the target is `variable[counter]`."""
    return (
        isinstance(target.value, gast.Name)
        and target.value.id == variable
        and isinstance(target.slice, gast.Name)
        and target.slice.id == counter
    )


def counts_up(iterable: gast.expr) -> bool:
    """Whether a range is `range(n)` or its reverse: no element twice, none negative."""
    if isinstance(iterable, gast.Call) and isinstance(iterable.func, gast.Name):
        if iterable.func.id == "reversed" and len(iterable.args) == 1:
            return counts_up(iterable.args[0])
        return iterable.func.id == "range" and len(iterable.args) == 1
    return False


def needs_settling(bars: object, place: Place, bar: Bar, touched: set[str]) -> bool:
    """Whether an adjoint present after a loop must have its own variable inside it."""
    if place[0] in touched:
        return True
    variable = bars.variables.get(place)  # type: ignore[attr-defined]
    return any(read != variable for read in reads(bar.node))


def begin(
    reverse: Reverse,
    head: set[Place],
    entering: dict[Place, Bar],
    shared: set[Place],
    certain: frozenset[str],
) -> dict[Place, Bar]:
    """The adjoints at the start of a reversed iteration."""
    bars = reverse.bars
    start = {place: bar for place, bar in entering.items() if place not in head}
    for place in in_order(head):
        variable = bars.variable(place)
        kind = bars.kind(place)
        sure = place[0] in certain or isinstance(kind, Scalar)
        bars.define(variable, kind if sure else UNKNOWN)
        start[place] = Bar(name(variable), kind if sure else UNKNOWN, sure and place not in shared)
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
