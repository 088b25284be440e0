"""Loops, reversed: the adjoints that cross iterations have variables of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.analysis.kind import UNKNOWN, Array, Sequence
from autodiff.errors import UnsupportedSyntaxError
from autodiff.reverse.definitions import carried
from autodiff.reverse.forecast import Trace, confirmed, forecast
from autodiff.reverse.headers import looped
from autodiff.reverse.items import Block, Item, Step
from autodiff.reverse.listing import occurrences
from autodiff.reverse.places import Place, in_order
from autodiff.reverse.values import Bar
from autodiff.syntax.make import make
from autodiff.syntax.names import name, reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import same

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def loop(reverse: Reverse, statement: gast.For | gast.While) -> Item | list[Item]:
    """A loop: the adjoints that cross iterations are settled in variables before and after."""
    bars = reverse.bars
    check_iterator(reverse, statement)
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
    trace = bars.trace
    outer = bars.mutated
    before = dict(bars.variables), dict(bars.ever), set(bars.vague)
    guess: set[Place] = set()
    if entering:
        plain = reverse.active - bars.shadows.keys()
        guess = forecast(statement.body, plain, reverse.kinds.names) - head
        head |= guess
    certain = reverse.certain[id(statement)]
    while True:
        lasting = {*bars.variables.values(), *reverse.slots.values()}
        bars.names.taken = taken | lasting  # a slot keeps its name in every round
        bars.made = made | set(bars.variables.values())
        reverse.kinds.tell({**kinds_before, **reverse.flag_kinds})
        bars.mutated = set()
        bars.trace = Trace()
        start = begin(reverse, head, entering, shared, certain)
        bars.present = dict(start)
        body = reverse.loop_body(statement)
        after = bars.present
        right = confirmed(guess, bars.trace, entering)
        if right != guess:
            variables, ever, vague = before
            bars.variables, bars.ever, bars.vague = dict(variables), dict(ever), set(vague)
            head, guess = head - guess | right, right
            continue
        guess = set()
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
        changing = changed_at(head, bars.mutated, bars.trace)
        lost = {p for p in changing if not bars.present[p].owned and p not in shared}
        if lost:
            shared |= lost
            continue
        break
    changing = changed_at(head, bars.mutated, bars.trace)
    trace.follow(bars.trace)
    trace.fresh |= bars.trace.fresh
    bars.trace = trace
    once(reverse, statement, body, {p for p in head if p not in entering})
    if ending:
        body.insert(0, Step([], ending))
    final = bars.present
    bars.present = dict(entering)
    bars.out = []
    bars.settle(in_order(head), certain)
    for place in in_order(changing - shared):
        kind = bars.kind(place)
        is_tuple = getattr(kind, "cls", None) is tuple  # its adjoint changes as a list
        if (is_tuple or isinstance(kind, Array)) and not bars.present[place].owned:
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
            owned = final[place].owned and place not in shared and place in changing
            bars.present[place] = bars.present[place]._replace(owned=owned)
    bars.mutated |= outer  # what changes here changes in the loop around this one, too
    items: list[Item] = looped(reverse, statement, body)
    if opening:
        items.append(Step([], opening))
    return items


def changed_at(head: set[Place], mutated: set[Place], trace: Trace) -> set[Place]:
    """The places at the head of a loop whose buffer the body may change in place.

    An adjoint is handed on with its buffer, so that the change may be made under another name.
    """
    changed = {place[0] for place in mutated}
    return {place for place in head if place in mutated or trace.reached([place[0]]) & changed}


def once(
    reverse: Reverse, statement: gast.For | gast.While, body: Block, fresh: set[Place]
) -> None:
    """`x_bar[k] += v` as `x_bar[k] = v` where the loop reaches each element of fresh zeros once."""
    if not isinstance(statement, gast.For) or not counts_up(statement.iter):
        return
    counter = statement.target.id
    if counter in writes(statement.body):
        return
    found = [
        (item, index, made)
        for item in body
        if isinstance(item, Step)
        for index, made in enumerate(item.adjoint)
        if isinstance(made, gast.AugAssign) and isinstance(made.target, gast.Subscript)
    ]
    counts = occurrences(body) if found else {}
    for place in in_order(fresh):
        variable = reverse.bars.variable(place)
        for item, index, made in found:
            if is_at(made.target, variable, counter) and counts[variable] == 1:
                item.adjoint[index] = make(gast.Assign, targets=[made.target], value=made.value)


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
        sure = bars.is_sure(place, certain)
        bars.define(variable, kind if sure else UNKNOWN)
        if not sure and isinstance(kind, Sequence):
            bars.vague.add(variable)
        start[place] = Bar(name(variable), kind if sure else UNKNOWN, sure and place not in shared)
    return start


def check_iterator(reverse: Reverse, loop: gast.For | gast.While) -> None:
    """Refuse a loop over an iterator that others take items of, if a derivative flows there."""
    if not isinstance(loop, gast.For) or writes(loop.body).isdisjoint(reverse.active):
        return
    if isinstance(loop.iter, gast.Name):
        raise UnsupportedSyntaxError(
            f"a loop over the iterator `{loop.iter.id}`, of which its body takes items by `next`, "
            "or which it leaves before the end",
            origin_of(loop),
            why="the reverse sweep goes over the items backwards, which an iterator cannot",
            cure="write a loop over the places, and index the sequence itself",
        )
