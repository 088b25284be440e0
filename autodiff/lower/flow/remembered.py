"""Containers of which a loop needs that they are memory before it begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autodiff.core.notyet import NotYet
from autodiff.core.value import unite
from autodiff.lower.entries.entry import Again, Box, Entry, Stale, Unbound, bound, needed
from autodiff.lower.entries.lists import as_memory, fits
from autodiff.lower.flow.heap import Heap, Place
from autodiff.primitives.containing import is_container

if TYPE_CHECKING:
    from autodiff.lower.flow.repeated import Repeated


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
