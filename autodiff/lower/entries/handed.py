"""Objects, lists and dicts that a loop makes anew: their parts are handed on.

    for _ in range(n):                          carried: body_x, body_v
        body = Body(body.x + h * body.v, 0.9 * body.v)

Each iteration begins with a container of its own, in the form of the one before the loop. That is
the same as Python's if nobody else holds the one at the end of the body, and if the one before is
changed neither by the loop nor through it; else the first iteration is apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from autodiff.core.value import Value
from autodiff.lower.entries.entry import (
    MEMORY,
    Bound,
    Box,
    Closure,
    Entry,
    Maybe,
    Outer,
    Pack,
    alike,
    leaves,
)
from autodiff.lower.entries.lists import memory_of

if TYPE_CHECKING:
    from autodiff.lower.flow.frame import Unit

_DEEPEST = 6


class Handed:
    """What a loop knows of the containers that it hands on: `fixed` are parts of them which others
    hold as well, and which stay the same.
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.fixed: set[Box] = set()
        self.begun: dict[Box, dict[Any, Entry]] = {}
        """What a container holds when an iteration begins."""

    def parts(self, entry: Entry) -> Iterator[Value]:
        """The values in an entry, those in its containers as well."""
        if isinstance(entry, Box):
            for item in () if entry in self.fixed else entry.slots.values():
                yield from self.parts(item)
        elif isinstance(entry, Pack):
            for item in entry.items:
                yield from self.parts(item)
        elif isinstance(entry, Maybe):
            yield from self.parts(entry.entry)
        else:
            yield from leaves(entry)

    def names(self, entry: Entry, hint: str) -> Iterator[str]:
        """What the parts of an entry are to be called."""
        if isinstance(entry, Box):
            for key, item in () if entry in self.fixed else entry.slots.items():
                yield from self.names(item, hint if key is MEMORY else f"{hint}_{key}")
        elif isinstance(entry, Value):
            yield hint if hint.isidentifier() else entry.hint
        else:
            yield from (value.hint for value in self.parts(entry))

    def remade(self, entry: Entry, values: Iterator[Value]) -> Entry:
        """The entry with other values in it, in containers of its own."""
        if isinstance(entry, Value):
            return next(values)
        if isinstance(entry, Pack):
            return Pack(tuple(self.remade(item, values) for item in entry.items), entry.cls)
        if isinstance(entry, Maybe):
            return Maybe(self.remade(entry.entry, values))
        if not isinstance(entry, Box) or entry in self.fixed:
            return entry
        slots = {key: self.remade(item, values) for key, item in entry.slots.items()}
        made = Box(entry.cls, slots, None, entry.hint)
        self.unit.boxes.append(made)
        self.begun[made] = dict(slots)
        return made

    def alike(self, one: Entry, other: Entry) -> bool:
        """Whether two entries differ in values alone, and in which containers hold them."""
        if isinstance(one, Box) and isinstance(other, Box) and one is not other:
            if one.memory is not None or other.memory is not None:
                return one.cls is other.cls and None not in (one.memory, other.memory)
            if one in self.fixed or one.cls is not other.cls or not is_flat(other):
                return False
            same = list(one.slots) == list(other.slots)
            return same and all(map(self.alike, one.slots.values(), other.slots.values()))
        if isinstance(one, Pack) and isinstance(other, Pack):
            if one.cls is not other.cls or len(one.items) != len(other.items):
                return False
            return all(map(self.alike, one.items, other.items))
        return alike(one, other)

    def boxes(self, entry: Entry) -> list[Box]:
        """The containers of an entry that are handed on."""
        if isinstance(entry, Pack):
            return [box for item in entry.items for box in self.boxes(item)]
        if not isinstance(entry, Box) or entry in self.fixed or entry.memory is not None:
            return []
        return [entry, *(box for item in entry.slots.values() for box in self.boxes(item))]

    def fix(self, entry: Entry, held: Counter[Box]) -> None:
        """Leaves the parts of an entry to the others that hold them."""
        items = entry.slots.values() if isinstance(entry, Box) else ()
        for item in entry.items if isinstance(entry, Pack) else items:
            if isinstance(item, Box) and held[item] > 1:
                self.fixed.add(item)
            self.fix(item, held)

    def begin(self) -> None:
        """Every container holds again what its iteration began with."""
        for box, slots in self.begun.items():
            box.slots = dict(slots)

    def is_changed(self, entry: Entry) -> bool:
        """Whether the body changed what its iteration began with."""
        return any(not _holds(box, self.begun[box]) for box in self.boxes(entry))


def is_flat(entry: Entry, depth: int = 0) -> bool:
    """Whether an entry is values and containers whose parts are known, within each other."""
    if isinstance(entry, Box):
        inside = depth < _DEEPEST and memory_of(entry) is None
        return inside and all(is_flat(item, depth + 1) for item in entry.slots.values())
    if isinstance(entry, Pack):
        return all(is_flat(item, depth + 1) for item in entry.items)
    return isinstance(entry, (Value, Closure, Bound, Outer))


def _holds(box: Box, slots: dict[Any, Entry]) -> bool:
    return box.slots.keys() == slots.keys() and all(
        box.slots[key] is entry for key, entry in slots.items()
    )
