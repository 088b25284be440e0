"""Code of the user's behind a part of an expression: an operator, an item, a property.

Parts are not always computed in their order: `p.c + (a if p.d else b)` looks at `p.d` first. That
makes no difference unless one of them changes something; then the function is read again, with each
part in its order.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from autodiff.core import IN_ORDER, Apply, Operation, Reread
from autodiff.kinds.classes import class_attribute
from autodiff.lower.entries.above import Values
from autodiff.lower.entries.entry import Box, Entry
from autodiff.primitives.opaque import is_world


@contextlib.contextmanager
def in_order(expressions: Values, apart: bool) -> Iterator[None]:
    """While such code is lowered; `Reread` if it changes something that was there before. apart: it
    stands behind no part of an expression.
    """
    unit, operations = expressions.unit, expressions.builder.block.operations
    if apart or IN_ORDER in unit.doors.decided:
        yield
        return
    before, count = {box: dict(box.slots) for box in unit.boxes}, len(operations)
    yield
    changed = any(is_another(slots, box.slots) for box, slots in before.items())
    if changed or has_effects(operations[count:]):
        reason = "code behind an operator that changes something"
        raise Reread(IN_ORDER, reason)


def is_ours(function: Any) -> bool:
    """Whether a function stands for one of Python's."""
    return str(getattr(function, "__module__", "")).startswith("autodiff.")


def compares(entry: Entry) -> bool:
    """Whether the class of an object says what that is equal to."""
    return isinstance(entry, Box) and class_attribute(entry.cls, "__eq__") is not object.__eq__


def is_another(before: dict[Any, Entry], now: dict[Any, Entry]) -> bool:
    """Whether parts of an object are others than before."""
    return before.keys() != now.keys() or any(before[key] is not now[key] for key in now)


def has_effects(operations: list[Operation]) -> bool:
    """Whether operations change memory that was there before, or do what nobody knows."""
    inner = [op for each in operations for op in each.nested()]
    made = (op for op in inner if isinstance(op, Apply) and op.primitive.memory == "new")
    fresh = {value.region for op in made for value in op.results}
    writes = (e.region.find() for op in inner for e in op.effects() if e.what == "write")
    return any(map(is_world, inner)) or any(region not in fresh for region in writes)
