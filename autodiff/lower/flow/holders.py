"""Who holds a container: variables, parts of others, expressions that are being evaluated."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from autodiff.lower.entries.entry import Again, Box, Closure, Entry, Stale, Unbound, bound, inner
from autodiff.lower.entries.handed import is_same
from autodiff.lower.flow.heap import Heap, Place

if TYPE_CHECKING:
    from autodiff.lower.flow.frame import Frame, Unit
    from autodiff.lower.flow.repeated import Repeated


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


@contextlib.contextmanager
def evaluating(unit: Unit) -> Iterator[None]:
    """While an expression or a statement is lowered: what is evaluated in it is gone then."""
    before, unit.mark = unit.mark, len(unit.pending)
    try:
        yield
    finally:
        del unit.pending[unit.mark :]
        unit.mark = before


def holders(frame: Frame, dead: Collection[str] = ()) -> Counter[Box]:
    """In how many places each container is held now. dead: variables of the frame that nobody
    reads before they are bound again.
    """
    found: Counter[Box] = Counter()
    frames: list[Frame] = []

    def names(own: Frame) -> None:
        if own in frames:
            return
        frames.append(own)
        for name, entry in own.names.items():
            if not (own is frame and name in dead):
                visit(entry)
        if own.outer is not None:
            names(own.outer)

    def visit(entry: Entry) -> None:
        if isinstance(entry, Box):
            found[entry] += 1
            if found[entry] > 1:
                return
        if isinstance(entry, Closure):
            names(entry.frame)
        for part in inner(entry):
            visit(part)

    for own in (frame, *frame.unit.frames):
        names(own)
    for entry in frame.unit.pending:
        visit(entry)
    return found
