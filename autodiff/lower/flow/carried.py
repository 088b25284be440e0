"""What loops ask of what they carry: what can be handed on from one iteration to the next, who else
holds it, and what has to be memory before the loop, or in each iteration.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from autodiff.analysis.kind import Array, Kind, forget_values
from autodiff.analysis.size import Dim
from autodiff.core.notyet import Again, NotYet, needed
from autodiff.core.value import Value, unite
from autodiff.lower.entries.entry import Box, Entry, Mixed, Pack, Stale, Unbound, bound
from autodiff.lower.entries.handed import holders, is_flat, is_same
from autodiff.lower.entries.lists import as_memory, fits, memory_of
from autodiff.lower.flow.heap import Heap, Place
from autodiff.primitives.containing import is_container

if TYPE_CHECKING:
    from autodiff.lower.flow.frame import Unit
    from autodiff.lower.flow.repeated import Repeated

_TOKEN = re.compile(r"v(\d+)")


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


def hold(loop: Repeated) -> None:
    """Containers of which a variable holds another one in each iteration become memory, also those
    that an iteration leaves to others.
    """
    for n in loop.names:
        before, now = bound(loop.before.get(n)), bound(loop.frame.names.get(n, Unbound()))
        left = isinstance(before, (Unbound, Stale)) and n in loop.wanted | loop.guessed | {
            *loop.known
        }
        if left and isinstance(now, Stale) and now.entry is not None:
            now = now.entry
        if before is now or not isinstance(now, Box):
            continue
        if left and fits(now) or isinstance(before, Box) and before.memory is not None:
            as_memory(loop.statements, now)


def unite_ends(loop: Repeated, carried: dict[Place, Entry], ends: Heap) -> None:
    """What containers hold that a loop carries, they hold in each iteration."""
    for place, entry in carried.items():
        end = bound(ends.get(place))
        if not loop.handed.alike(bound(entry), end):
            continue
        for one, other in zip(loop.handed.parts(bound(entry)), loop.handed.parts(end)):
            if is_container(one.kind) and is_container(other.kind):
                unite(one, other)


def differs(loop: Repeated, place: Place, end: Entry) -> NotYet:
    """What is raised where a place holds something of another form at the end of an iteration: a
    list of another length is memory.
    """
    before = loop.before.get(place)
    if isinstance(before, Box) and isinstance(end, Box) and before.cls is list and fits(before):
        return needed(before)
    return Again("a variable that changes its form in a loop", loop.key)


def held_elsewhere(loop: Repeated, ends: Heap, carried: dict[Place, Entry]) -> Box | None:
    """A container that a loop hands on and that is somebody else's too, who sees the difference."""
    handed = loop.handed
    if not any(handed.boxes(entry) for entry, _ in loop.known.values()):
        return None
    empty = [n for n in loop.names if isinstance(loop.before.get(n), (Unbound, Stale))]
    held = holders(loop.frame, {n for n in empty if n not in loop.known})
    for place, (entry, _) in loop.known.items():
        boxes = handed.boxes(entry)
        alone = all(loop.holders[box] == 1 for box in boxes)
        changed = not all(is_same(loop.before.slots.get(box), ends.slots.get(box)) for box in boxes)
        seen = changed or not alone and (not loop.certain or handed.is_changed(carried[place]))
        if seen or any(held[box] != 1 for box in handed.boxes(bound(ends.get(place)))):
            if isinstance(entry, Box):
                return entry
            raise Again("a container that others hold is made anew in a loop", loop.key)
    return None


def outlived(kind: Kind, start: int) -> Kind:
    """The kind of what outlives an iteration: sizes named after its values are not known."""

    def lasts(size: Any) -> bool:
        return not isinstance(size, Dim) or all(int(k) < start for k in _TOKEN.findall(size.name))

    if isinstance(kind, Array):
        return Array(kind.dtype, tuple(size if lasts(size) else None for size in kind.shape))
    return forget_values(kind)
