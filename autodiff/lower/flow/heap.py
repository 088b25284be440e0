"""The parts of boxes as places, beside the variables of a frame.

What loops ask of what they carry: what can be handed on from one iteration to the next, who else
holds it, and what has to be memory before the loop, or in each iteration.
"""

from __future__ import annotations

import contextlib
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from autodiff.core import (
    Again,
    NotYet,
    Operation,
    Value,
    around,
    around_value,
    needed,
    unite,
)
from autodiff.kinds.classes import class_attribute
from autodiff.kinds.kind import Array, Kind, forget_values
from autodiff.kinds.size import Dim
from autodiff.lower.entries.above import Repeated, Values
from autodiff.lower.entries.boxes import constant_of
from autodiff.lower.entries.defining import defines
from autodiff.lower.entries.entry import MEMORY, Box, Entry, Pack, Stale, Unbound, bound
from autodiff.lower.entries.handed import are_written_alike, holders, is_flat, is_same
from autodiff.lower.entries.lists import as_memory, become, fits, is_shared, memory_of
from autodiff.lower.flow.frame import Frame, Unit
from autodiff.primitives.containing import is_container

Found = TypeVar("Found")
Slot = tuple[Box, Any]
Place = str | Slot
"""A variable, or a part of a box."""
_PLAIN = (bool, int, float, complex, str, type(None))


@dataclass(frozen=True, slots=True)
class Heap:
    """What all places hold at one time."""

    names: dict[str, Entry]
    slots: dict[Box, dict[Any, Entry]]
    unit: Unit

    def get(self, place: Place) -> Entry:
        """What a place holds; unbound where it does not."""
        if isinstance(place, str):
            return self.names.get(place, Unbound())
        box, key = place
        found = self.slots.get(box, box.slots).get(key)
        return self.absent(box, key) if found is None else found

    def absent(self, box: Box, key: Any) -> Entry:
        """What an attribute is that an object does not have: one of its class, or nothing."""
        default = class_attribute(box.cls, key)
        if default is None and not defines(box.cls, key) or inspect.ismemberdescriptor(default):
            return Unbound()
        if self.unit.cells or not isinstance(default, _PLAIN):
            raise NotYet(f"a {box.cls.__name__} that gets other parts in a block")
        if box.view:
            raise NotYet("the attributes of an object that may be missing")
        box.view = False
        return constant_of(self.unit, box.cls, key, default)


def snapshot(frame: Frame) -> Heap:
    """What the variables of a frame and all boxes hold now."""
    return Heap(dict(frame.names), {box: dict(box.slots) for box in frame.unit.boxes}, frame.unit)


def restore(frame: Frame, heap: Heap) -> None:
    """Everything as it was; boxes that were made since are gone."""
    frame.names = dict(heap.names)
    frame.unit.boxes = list(heap.slots)
    for box, slots in heap.slots.items():
        box.slots = dict(slots)


class Mark:
    """Where lowering stands, to come back to: what places hold, and the operations so far."""

    def __init__(self, frame: Frame) -> None:
        self.frame, self.heap, self.builder = frame, snapshot(frame), frame.builder
        self.count = len(frame.builder.block.operations)

    def back(self) -> None:
        """Everything as it was."""
        restore(self.frame, self.heap)
        self.frame.builder = self.builder
        del self.builder.block.operations[self.count :]

    def since(self) -> Iterator[Operation]:
        """The operations that were added."""
        for op in self.builder.block.operations[self.count :]:
            yield from op.nested()

    def reaches(self, value: Value) -> bool:
        """Whether a value is defined there."""
        block = self.builder.block
        own = next(around_value(value), None)
        return own in [*around(block)] and value.op not in block.operations[self.count :]


def begun(expressions: Values, lower: Callable[[Mark], Found]) -> Found:
    """Lowers something with blocks in it: again, where a container has to be memory before these,
    unless a block around this one begins with it as well.
    """
    frame = expressions.frame
    while True:
        mark = Mark(frame)
        try:
            return lower(mark)
        except Again as again:
            mark.back()
            box = again.whose
            if not isinstance(box, Box) or box not in mark.heap.slots or is_shared(frame.unit, box):
                raise
            become(expressions, box)
        except BaseException:
            frame.builder = mark.builder
            raise


def put(frame: Frame, place: Place, entry: Entry) -> None:
    """A place holds something else."""
    if isinstance(place, str):
        frame.names[place] = entry
    elif isinstance(entry, Unbound):
        place[0].slots.pop(place[1], None)
    else:
        place[0].slots[place[1]] = entry


def moved(before: Heap, *ends: Heap) -> list[Slot]:
    """The parts of boxes that hold something else at one of the ends.

    Raises `Again` where a list or dict has got other parts.
    """
    found: dict[tuple[int, Any], Slot] = {}
    for end in ends:
        for box, slots in before.slots.items():
            now = end.slots.get(box, box.slots)
            if now.keys() != slots.keys() and box.indexed and MEMORY not in slots:
                raise needed(box)
            if MEMORY in now and MEMORY not in slots:
                if now.keys() != slots.keys():
                    raise NotYet(f"a {box.cls.__name__} that gets other parts in a block")
            for key in {**slots, **now}:
                one, other = before.get((box, key)), end.get((box, key))
                if one != other and not are_written_alike(one, other):
                    found[id(box), key] = box, key
    return list(found.values())


@contextlib.contextmanager
def inside(frame: Frame, before: Heap) -> Iterator[None]:
    """While a block is lowered that begins with this."""
    frame.unit.around.append(before)
    try:
        yield
    finally:
        frame.unit.around.pop()


def hint(place: Place) -> str:
    """The name for what a place holds."""
    if isinstance(place, str):
        return place
    box, key = place
    return f"{box.hint}_{key}" if box.hint else str(key)


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
    left = {box for place in loop.known for box in handed.boxes(bound(ends.get(place)))}
    for place, (entry, _) in loop.known.items():
        boxes = handed.boxes(entry)
        alone = all(loop.holders[box] == 1 for box in boxes)
        changed = not all(is_same(loop.before.slots.get(box), ends.slots.get(box)) for box in boxes)
        own = carried[place]
        lasts = not loop.certain or any(box in left for box in handed.boxes(bound(own)))
        seen = changed or not alone and (lasts or handed.is_changed(own))
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
