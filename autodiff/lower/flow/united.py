"""Containers that a variable holds on one path or the other: they become memory.

r = p if x > 0 else q          r is one of two objects: who changes it changes one of them
r.v = r.v * 2.0
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from autodiff.core.operation import If
from autodiff.core.value import Value
from autodiff.lower.entries.entry import Box, Entry, alike, bound, inner, needed
from autodiff.lower.entries.lists import become, fits
from autodiff.lower.flow.heap import Mark, Place, moved, restore, snapshot
from autodiff.primitives.containing import is_item, plain
from autodiff.primitives.either import either

if TYPE_CHECKING:
    from autodiff.lower.statement.statements import Statements


def unite(
    statements: Statements, names: Iterable[str], op: If, mark: Mark, ends: list[Any]
) -> None:
    """Containers that differ become memory at the ends of two paths: `Again` for one that was made
    before.
    """
    frame, before = statements.frame, mark.heap
    places: list[Place] = [*names, *moved(before, *ends)]
    for place in places:
        found = [bound(end.get(place)) for end in ends]
        if found[0] is found[1] or not all(isinstance(entry, Box) for entry in found):
            continue
        if not all(map(fits, found)) or not are_alike(*found):
            continue
        for k, box in enumerate(found):
            restore(frame, ends[k])
            if not isinstance(box, Box) or box.memory is not None:
                continue
            if box in before.slots:
                raise needed(box)
            frame.builder = mark.builder.inside(op.blocks[k])
            become(statements, box)
            ends[k] = snapshot(frame)


def are_alike(one: Entry, other: Entry) -> bool:
    """Whether two containers have parts of the same kinds under the same keys: else the statements
    that read them are better written for each path.
    """
    return alike(one, other, have_same_parts, are_items)


def are_items(one: Value, other: Value) -> bool:
    """Whether a container may hold either of two values."""
    return is_item(either(plain(one.kind), plain(other.kind)))


def have_same_parts(one: Box, other: Box) -> bool:
    """Whether two containers hold alike under the same keys, or are memory."""
    if one.memory is not None or other.memory is not None:
        return True
    same = list(one.slots) == list(other.slots)
    return same and all(map(are_alike, inner(one), inner(other)))
