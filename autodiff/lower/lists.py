"""Lists that are memory: they grow in blocks, or items are asked for that are found at run time.

A list begins as a box, whose parts are known. Where that does not do, it becomes memory: now, if it
was made in the same block; else before the outermost block that it comes from outside of, which is
then lowered again (`Needed`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autodiff.analysis.kind import UNKNOWN, Array, Scalar, Sequence
from autodiff.core.notyet import NotYet, Positions
from autodiff.core.value import Value
from autodiff.lower.entry import Box, Entry
from autodiff.primitives.builder import item_kind

if TYPE_CHECKING:
    from autodiff.lower.values import Values


class _Memory:
    """The one key of a box that has become memory."""

    def __repr__(self) -> str:
        return "list"


MEMORY: Any = _Memory()


class Needed(Exception):
    """A box has to be memory before a block begins."""

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self.box = box


def memory_of(box: Box) -> Value | None:
    """The list that a box has become, None if it still is its parts."""
    found = box.slots.get(MEMORY)
    return found if isinstance(found, Value) else None


def as_memory(expressions: Values, box: Box) -> Value:
    """The list as memory, which it becomes if it is not."""
    found = memory_of(box)
    if found is not None:
        return found
    if any(box in heap.slots for heap in expressions.unit.around):
        raise Needed(box)
    return become(expressions, box)


def become(expressions: Values, box: Box) -> Value:
    """A box becomes memory here and now."""
    if box.cls is not list:
        raise Positions(f"an item of a {box.cls.__name__} that is found at run time")
    items = [item_value(expressions, entry) for entry in box.slots.values()]
    if any(item.partial for item in items):
        raise NotYet("a list that exists on one path only")
    kind = Sequence(UNKNOWN)
    for item in items:
        kind = Sequence(item_kind(kind, item.kind))
    value = expressions.builder.listing(items, kind.item)
    value.hint, value.named = box.hint or "items", bool(box.hint)
    box.slots = {MEMORY: value}
    return value


def item_value(expressions: Values, entry: Entry) -> Value:
    """What is put into a list: a number, or an array as such."""
    value = expressions.as_value(entry)
    if not isinstance(value.kind, (Scalar, Array)):
        raise Positions("a list of containers")
    return value


def check_item(value: Value) -> None:
    """Items of one kind, so far: numbers, or arrays of so many axes."""
    assert isinstance(value.kind, Sequence)
    if not isinstance(value.kind.item, (Scalar, Array)):
        raise Positions("an item of a list that may be anything")
