"""The parts of boxes as places, beside the variables of a frame."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from autodiff.analysis.classes import class_attribute
from autodiff.core.function import around, around_value
from autodiff.core.notyet import Again, NotYet, needed
from autodiff.core.value import Value
from autodiff.lower.entries.boxes import constant_of
from autodiff.lower.entries.entry import MEMORY, Box, Entry, Unbound
from autodiff.lower.entries.lists import become, is_shared
from autodiff.lower.flow.frame import Frame, Unit
from autodiff.lower.recipes import iterators

if TYPE_CHECKING:
    from autodiff.lower.expression.values import Values

Found = TypeVar("Found")
Slot = tuple[Box, Any]
Place = str | Slot
"""A variable, or a part of a box."""


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
        if default is None and not hasattr(box.cls, key) or inspect.ismemberdescriptor(default):
            return Unbound()
        if self.unit.cells or not isinstance(default, (bool, int, float, complex, type(None))):
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
            if MEMORY in now and MEMORY not in slots or issubclass(box.cls, iterators.Iterator):
                if now.keys() != slots.keys():
                    raise NotYet(f"a {box.cls.__name__} that gets other parts in a block")
            for key in {**slots, **now}:
                one, other = before.get((box, key)), end.get((box, key))
                if one is not other and one != other:
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
