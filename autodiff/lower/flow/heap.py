"""The parts of boxes as places, beside the variables of a frame."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from autodiff.analysis.classes import class_attribute
from autodiff.core.notyet import NotYet
from autodiff.lower.entries.boxes import constant_of
from autodiff.lower.entries.entry import MEMORY, Box, Entry, Needed, Unbound
from autodiff.lower.flow.frame import Frame, Unit

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
        return self.slots[place[0]][place[1]]


def snapshot(frame: Frame) -> Heap:
    """What the variables of a frame and all boxes hold now."""
    return Heap(dict(frame.names), {box: dict(box.slots) for box in frame.unit.boxes}, frame.unit)


def restore(frame: Frame, heap: Heap) -> None:
    """Everything as it was; boxes that were made since are gone."""
    frame.names = dict(heap.names)
    frame.unit.boxes = list(heap.slots)
    for box, slots in heap.slots.items():
        box.slots = dict(slots)


def put(frame: Frame, place: Place, entry: Entry) -> None:
    """A place holds something else."""
    if isinstance(place, str):
        frame.names[place] = entry
    else:
        place[0].slots[place[1]] = entry


def moved(before: Heap, *ends: Heap) -> list[Slot]:
    """The parts of boxes that hold something else at one of the ends.

    Raises `Needed` where a list or dict has got other parts, NotYet for others.
    """
    found: dict[tuple[int, Any], Slot] = {}
    for box, slots in before.slots.items():
        inherited(before.unit, box, [slots, *(end.slots.get(box, box.slots) for end in ends)])
    for end in ends:
        for box, slots in before.slots.items():
            now = end.slots.get(box, box.slots)
            if now.keys() != slots.keys() and box.indexed and MEMORY not in slots:
                raise Needed(box)
            if now.keys() != slots.keys():
                raise NotYet(f"a {box.cls.__name__} that gets other parts in a block")
            for key, entry in slots.items():
                if now[key] is not entry and now[key] != entry:
                    found[id(box), key] = box, key
    return list(found.values())


def inherited(unit: Unit, box: Box, ends: list[dict[Any, Entry]]) -> None:
    """An attribute that an object gets on one of several paths is that of its class on the others:
    a number.
    """
    if box.indexed or box.given is not None or all(end.keys() == ends[0].keys() for end in ends):
        return
    for key in {key: None for end in ends for key in end}:
        held = class_attribute(box.cls, key) if isinstance(key, str) else None
        if isinstance(held, (bool, int, float, complex)):
            if box.view:
                raise NotYet("the attributes of an object that may be missing")
            box.view = False
            own = constant_of(unit, box.cls, key, held)
            for end in ends:
                end.setdefault(key, own)


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
