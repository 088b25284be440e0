"""Where containers became memory, and whether they hold nothing yet."""

from __future__ import annotations

from typing import Any

import gast

from autodiff.core import Apply, Load, NotYet, Operation, Parts
from autodiff.core.value import Value
from autodiff.lower.entries.above import Unit, Values
from autodiff.lower.entries.entry import MEMORY, Box, Entry
from autodiff.primitives import LISTING


def made_by(expressions: Values, item: Value) -> Apply | None:
    """Where a container became memory that holds an item, None if that was not here."""
    holder = next(iter(item.op.operands), None) if item.op is not None else None
    return None if holder is None else made_of(expressions, holder)


def made_of(expressions: Values, memory: Value) -> Apply | None:
    """Where a container became memory, None if that was not here."""
    held = memory.region
    made = (op for op in expressions.unit.function.body.walk() if isinstance(op, Apply))
    found = (op for op in made if op.primitive is LISTING and op.result.region is held is not None)
    return next((op for op in found if op.origin is not None), None)


def stays_parts(expressions: Values, cls: type) -> bool:
    """Whether it was decided that a list which would become memory here stays its parts."""
    return cls is list and (Parts, expressions.builder.origin) in expressions.unit.doors.decided


def in_parts(expressions: Values, entry: Entry, reason: str) -> NotYet:
    """What is raised where a list that is memory would have to be its parts: it stays those."""
    memory = entry.memory if isinstance(entry, Box) else None
    made = None if memory is None else made_of(expressions, memory)
    return NotYet(reason) if made is None else Parts((Parts, made.origin), reason)


def is_empty(unit: Unit, memory: Value) -> bool:
    """Whether a container that is memory holds nothing yet where it is asked."""
    region = memory.home.find()
    if region.kinds or region.given or region is unit.world.find():
        return False
    giving = [
        op
        for op in unit.function.body.walk()
        if not op.blocks and any(own.region is region for own in op.results)
    ]
    held = (slots.get(MEMORY) for loop in unit.repeating for slots in loop.before.slots.values())
    begins = any(isinstance(own, Value) and region in own.home.reached() for own in held)
    return bool(giving) and all(map(makes_nothing, giving)) and not begins


def makes_nothing(op: Operation) -> bool:
    """Whether an operation makes an empty container."""
    return isinstance(op, Apply) and op.primitive is LISTING and not op.operands


def holds_nothing(made: Apply) -> bool:
    """Whether a container begins as an empty one, and nothing was put there so far."""
    return makes_nothing(made) and not made.result.home.find().kinds


def began_with(unit: Unit, made: Apply) -> list[Any]:
    """The loops that begin with a container that is memory, from the outermost."""
    heaps = ((loop, loop.before.slots.values()) for loop in unit.repeating)
    return [own for own, slots in heaps if any(s.get(MEMORY) is made.result for s in slots)]


def goes_over(loop: Any, memory: Value) -> bool:
    """Whether a loop asks for the items of a container."""
    asked = gast.walk(loop.node.iter) if isinstance(loop.node, gast.For) else ()
    held = [loop.before.names.get(part.id) for part in asked if isinstance(part, gast.Name)]
    return any(isinstance(box, Box) and box.slots.get(MEMORY) is memory for box in held)


def settled(expressions: Values, value: Value) -> Value:
    """What a number or an array holds: nobody changes it from there on, or it is refused."""
    load = Load([value], [Value(value.hint, value.kind)], None, expressions.builder.origin)
    load.apart, load.result.memory = True, None
    if value.memory is not None:
        value.memory.find().held = True
    expressions.builder.add(load)
    return load.result
