"""What a loop can hand on from one iteration to the next, and how loops and places are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autodiff.analysis.kind import Kind, forget_values
from autodiff.core.operation import Loop
from autodiff.core.value import Value, nothing
from autodiff.lower.entries.entry import (
    Again,
    Box,
    Entry,
    Maybe,
    Mixed,
    Pack,
    Stale,
    Unbound,
    bound,
)
from autodiff.lower.entries.handed import is_flat
from autodiff.lower.entries.lists import memory_of
from autodiff.lower.flow.heap import Heap, Place
from autodiff.primitives.either import either
from autodiff.primitives.memory import is_numeric

if TYPE_CHECKING:
    from autodiff.lower.flow.frame import Unit
    from autodiff.lower.flow.repeated import Repeated


def key_of(unit: Unit, node: Any) -> Any:
    """A loop, by the calls around it."""
    return id(node), tuple(id(own) for own, _ in unit.calls)


def is_value(entry: Entry) -> bool:
    """Whether a place holds something that can be carried."""
    own = bound(entry)
    if isinstance(own, Box):
        return own.memory is not None or own is entry and is_flat(own)
    return isinstance(own, (Value, Pack))


def label(place: Place) -> Any:
    """What a place is called, also where boxes are made anew when a loop is lowered again."""
    return place if isinstance(place, str) else (place[0].hint, place[1])


def item_kinds(heap: Heap) -> list[Kind]:
    """What the containers hold that are memory: appending may change it."""
    found = [memory_of(box) for box in heap.slots]
    return [value.kind for value in found if value is not None]


def uncarried(loop: Repeated, name: str) -> Entry:
    """What the body sees of a variable that is not carried."""
    before = loop.before.get(name)
    if is_value(before) and not isinstance(before, Box):
        return Mixed("a loop carries what is no number and no array", loop=loop.key)
    if isinstance(before, (Unbound, Stale)):
        return Stale(loop.key, name)
    return Mixed(before.reason, loop=loop.key) if isinstance(before, Mixed) else before


def left(loop: Repeated, name: str, end: Entry) -> Entry:
    """What a variable that is not carried holds after the loop."""
    before = loop.before.get(name)
    if is_value(before) and not isinstance(before, Box):
        return Mixed("a loop carries what is no number and no array")
    if isinstance(before, (Unbound, Stale)):
        untouched = isinstance(end, Unbound) or isinstance(end, Stale) and end.entry is None
        return before if untouched else Mixed("a variable of a loop")
    if isinstance(before, Mixed) and end is not before:
        return Mixed(before.reason)
    if end is not before and end != before:
        raise Again("a variable that changes its form in a loop", loop.key)
    return before


def last(loop: Repeated, op: Loop, target: str, end: Entry) -> Entry:
    """What the loop's variable holds after the loop: what it held at the end of the last iteration,
    or else before.
    """
    before = loop.before.get(target)
    if not loop.is_read_outside(target):
        return before if isinstance(before, Stale) else Mixed("a variable of a loop")
    if isinstance(before, Stale):
        raise Stale(before.loop, before.name, end).refusal()
    old = nothing(target) if isinstance(before, Unbound) else bound(before)
    if not isinstance(end, Value) or not isinstance(old, Value):
        return Mixed("a loop variable of another form")
    kind = end.kind if isinstance(before, Unbound) else either(old.kind, end.kind)
    if not is_numeric(kind):
        return Mixed("a loop variable of another kind")
    parameter, result = (
        Value(target, forget_values(kind), end.memory, named=True) for _ in range(2)
    )
    parameter.partial = isinstance(before, (Unbound, Maybe))
    result.partial = parameter.partial and not loop.certain
    op.carry(old, parameter, end, result)
    return Maybe(result) if result.partial else result
