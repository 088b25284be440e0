"""Objects, lists and dicts that a loop makes anew: their parts are handed on.

    for _ in range(n):                          carried: body_x, body_v
        body = Body(body.x + h * body.v, 0.9 * body.v)

Each iteration begins with a container of its own, in the form of the one before the loop. That is
the same as Python's if nobody else holds the one at the end of the body, and if the one before is
changed neither by the loop nor through it; else the first iteration is apart.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from autodiff.core.value import Value
from autodiff.lower.entries import Bound, Box, Closure, Entry, Maybe, Outer, Pack
from autodiff.lower.entries.above import Frame, Unit
from autodiff.lower.entries.entry import MEMORY, alike, are_memory, inner, leaves, mapped

_DEEPEST = 6
Slots = dict[Any, Entry]


class Handed:
    """What a loop knows of the containers that it hands on: `fixed` are parts of them which others
    hold as well, and which stay the same. begun: what one holds when an iteration begins.
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.fixed: set[Box] = set()
        self.begun: dict[Box, Slots] = {}

    def opens(self, entry: Entry) -> bool:
        """Whether an entry is a container whose parts are handed on."""
        return isinstance(entry, Box) and entry not in self.fixed

    def parts(self, entry: Entry) -> Iterator[Value]:
        """The values in an entry, those in its containers as well."""
        return leaves(entry, self.opens)

    def names(self, entry: Entry, hint: str) -> Iterator[str]:
        """What the parts of an entry are to be called."""
        if isinstance(entry, Box) and self.opens(entry):
            for key, item in entry.slots.items():
                yield from self.names(item, hint if key is MEMORY else f"{hint}_{key}")
        elif isinstance(entry, Value):
            yield hint if hint.isidentifier() else entry.hint
        else:
            yield from (value.hint for value in self.parts(entry))

    def remade(self, entry: Entry, values: Iterator[Value]) -> Entry:
        """The entry with other values in it, in containers of its own."""
        if isinstance(entry, Value):
            return next(values)
        if isinstance(entry, (Pack, Maybe)):
            return mapped(entry, lambda part: self.remade(part, values))
        if not isinstance(entry, Box) or entry in self.fixed:
            return entry
        slots = {key: self.remade(item, values) for key, item in entry.slots.items()}
        made = Box(entry.cls, slots, None, entry.hint)
        self.unit.boxes.append(made)
        self.begun[made] = dict(slots)
        return made

    def alike(self, one: Entry, other: Entry) -> bool:
        """Whether two entries differ in values alone, and in which containers hold them."""
        return alike(one, other, self._alike)

    def _alike(self, one: Box, other: Box) -> bool:
        if one.memory is not None or other.memory is not None:
            return are_memory(one, other)
        same = one not in self.fixed and is_flat(other) and list(one.slots) == list(other.slots)
        return same and all(map(self.alike, inner(one), inner(other)))

    def boxes(self, entry: Entry) -> list[Box]:
        """The containers of an entry that are handed on."""
        own = [entry] if isinstance(entry, Box) and self.opens(entry) else []
        if own and own[0].memory is not None or not own and not isinstance(entry, Pack):
            return []
        return [*own, *(box for item in inner(entry) for box in self.boxes(item))]

    def fix(self, entry: Entry, held: Counter[Box]) -> None:
        """Leaves the parts of an entry to the others that hold them."""
        for item in inner(entry) if isinstance(entry, (Box, Pack)) else ():
            if isinstance(item, Box) and held[item] > 1:
                self.fixed.add(item)
            self.fix(item, held)

    def begin(self) -> None:
        """Every container holds again what its iteration began with."""
        for box, slots in self.begun.items():
            box.slots = dict(slots)

    def is_changed(self, entry: Entry) -> bool:
        """Whether the body changed what its iteration began with."""
        return not all(is_same(box.slots, self.begun[box]) for box in self.boxes(entry))


def is_flat(entry: Entry, depth: int = 0) -> bool:
    """Whether an entry is values and containers whose parts are known, within each other."""
    if isinstance(entry, Box):
        inside = depth < _DEEPEST and type(entry) is Box and entry.memory is None
        return inside and all(is_flat(item, depth + 1) for item in inner(entry))
    if isinstance(entry, Pack):
        return all(is_flat(item, depth + 1) for item in entry.items)
    return isinstance(entry, (Value, Closure, Bound, Outer))


def is_same(one: Slots | None, other: Slots | None) -> bool:
    """Whether a container holds the same at two times; not if it was not there at one of them."""
    if one is None or other is None or one.keys() != other.keys():
        return False
    return all(one[key] is entry for key, entry in other.items())


def are_written_alike(one: Entry, other: Entry) -> bool:
    """Whether two entries are one constant: `1` is not `True`, 0.0 is not -0.0."""
    if not (isinstance(one, Value) and isinstance(other, Value) and one.is_constant):
        return False
    known = other.is_constant and type(one.constant) is type(other.constant)
    return known and repr(one.constant) == repr(other.constant)


# Who holds a container: variables, parts of others, expressions that are being evaluated ----------


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
