"""Containers that a variable holds on one path or the other: they become memory.

r = p if x > 0 else q          r is one of two objects: who changes it changes one of them
r.v = r.v * 2.0
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from autodiff.core.operation import If
from autodiff.core.value import Value
from autodiff.lower.entries.entry import MEMORY, Box, Entry, Needed, Pack, bound
from autodiff.lower.entries.lists import become, fits
from autodiff.lower.flow.heap import Heap, Place, moved, restore, snapshot
from autodiff.primitives.builder import Builder
from autodiff.primitives.containing import is_item, plain
from autodiff.primitives.either import either

if TYPE_CHECKING:
    from autodiff.lower.statement.statements import Statements


def ends_in_memory(
    statements: Statements,
    names: Iterable[str],
    op: If,
    before: Heap,
    outer: Builder,
    ends: list[Heap],
) -> list[Heap]:
    """What places hold at the ends of two paths, where containers that differ are memory.

    Raises `Needed` for one that was made before.
    """
    frame, ends = statements.frame, list(ends)
    places: list[Place] = [*names, *moved(before, *ends)]
    for place in places:
        found = [bound(end.get(place)) for end in ends]
        if found[0] is found[1] or not all(isinstance(entry, Box) for entry in found):
            continue
        if not all(map(fits, found)) or not are_alike(*found):
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
    return ends


def are_alike(one: Entry, other: Entry) -> bool:
    """Whether two containers have parts of the same kinds under the same keys: else the statements
    that read them are better written for each path.
    """
    if isinstance(one, Value) and isinstance(other, Value):
        return is_item(either(plain(one.kind), plain(other.kind)))
    if isinstance(one, Pack) and isinstance(other, Pack):
        return len(one.items) == len(other.items) and all(map(are_alike, one.items, other.items))
    if not isinstance(one, Box) or not isinstance(other, Box) or one.cls is not other.cls:
        return False
    if one.memory is not None or other.memory is not None:
        return True
    same = list(one.slots) == list(other.slots)
    return same and all(map(are_alike, one.slots.values(), other.slots.values()))
