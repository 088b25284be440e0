"""Variables that hold things of different forms on different paths.

    f = np.sin if c else np.cos        if c:
    y = f(x)                               y = np.sin(x)
                                       else:
                                           y = np.cos(x)

What a branch leaves in such a variable is kept with its test; a statement that reads it becomes one
for each form. The values in it exist on one path only: elsewhere they hold nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autodiff.analysis.kind import Array, Scalar, forget_values
from autodiff.core.operation import Block, If
from autodiff.core.trying import told
from autodiff.core.value import Value, constant, nothing
from autodiff.lower.entries.entry import (
    Bound,
    Box,
    Closure,
    DictView,
    Entry,
    Maybe,
    Mixed,
    Pack,
    Stale,
)

if TYPE_CHECKING:
    from autodiff.lower.flow.frame import Unit


class _Lost(Exception):
    """Something in an entry is of the branch alone."""


def mixed(unit: Unit, op: If, name: str, one: Entry, other: Entry, reason: str) -> Mixed:
    """What a variable holds after a branch that leaves different things in it."""
    joined, boxes = len(op.results), len(unit.boxes)
    held = {box: dict(box.slots) for entry in (one, other) for box in made_in(entry, unit, ())}
    try:
        first = exported(unit, op, 0, name, one)
        second = exported(unit, op, 1, name, other)
        test, truth = told(op, 0)
        return Mixed(reason, test, *((first, second) if truth else (second, first)))
    except _Lost:
        while len(op.results) > joined:
            op.drop(joined)
        del unit.boxes[boxes:]
        for box, slots in held.items():
            box.slots = slots
        return Mixed(reason)


def made_in(entry: Entry, unit: Unit, found: tuple[Box, ...]) -> tuple[Box, ...]:
    """The containers in an entry that were made in a block of the branch."""
    box = entry.box if isinstance(entry, DictView) else entry
    inner: tuple[Entry, ...] = ()
    if isinstance(box, Box) and box not in unit.boxes and box not in found:
        found, inner = (*found, box), tuple(box.slots.values())
    elif isinstance(entry, Pack):
        inner = entry.items
    elif isinstance(entry, Bound):
        inner = (entry.function, *entry.arguments, *(part for _, part in entry.keywords))
    elif isinstance(entry, Mixed):
        inner = entry.one, entry.other
    elif isinstance(entry, Maybe):
        inner = (entry.entry,)
    for part in inner:
        found = made_in(part, unit, found)
    return found


def exported(unit: Unit, op: If, side: int, name: str, entry: Entry) -> Entry:
    """What one block leaves, as it is seen behind the branch."""
    if isinstance(entry, Value):
        return value_of(unit, op, side, name, entry)
    if isinstance(entry, Pack):
        items = [exported(unit, op, side, f"{name}_{k}", e) for k, e in enumerate(entry.items)]
        return Pack(tuple(items), entry.cls)
    if isinstance(entry, Bound):
        function, *given = (
            exported(unit, op, side, name, part) for part in (entry.function, *entry.arguments)
        )
        named = [(key, exported(unit, op, side, key, part)) for key, part in entry.keywords]
        return Bound(function, tuple(given), tuple(named))
    if isinstance(entry, Maybe):
        return Maybe(exported(unit, op, side, name, entry.entry))
    if isinstance(entry, Mixed) and entry.test is not None:
        test = entry.test if not is_inside(op, entry.test) else flag(op, side, entry.test)
        one = exported(unit, op, side, name, entry.one)
        return Mixed(entry.reason, test, one, exported(unit, op, side, name, entry.other))
    if isinstance(entry, Closure):
        check_frame(unit, op, entry)
        left = [(key, exported(unit, op, side, key, part)) for key, part in entry.defaults]
        return Closure(entry.node, entry.frame, tuple(left))
    if isinstance(entry, (Box, DictView)):
        box = entry.box if isinstance(entry, DictView) else entry
        if box not in unit.boxes:
            opened(unit, op, side, box)
    if isinstance(entry, (Stale, Mixed)):
        raise _Lost
    return entry


def opened(unit: Unit, op: If, side: int, box: Box) -> None:
    """A container that was made in a block goes on behind the branch."""
    unit.boxes.append(box)
    for key, entry in box.slots.items():
        name = f"{box.hint}_{key}" if box.hint else str(key)
        box.slots[key] = exported(unit, op, side, name, entry)


def value_of(unit: Unit, op: If, side: int, name: str, value: Value) -> Value:
    """A value of one block behind the branch: it holds nothing on the other path."""
    if value.is_constant or not is_inside(op, value):
        return value
    if not isinstance(value.kind, (Array, Scalar)):
        raise _Lost
    hint = value.hint if value.named and value.hint.isidentifier() else name
    hint = hint if hint.isidentifier() else "value"
    result = Value(hint, forget_values(value.kind), value.memory, named=True)
    result.partial = True
    unit.facts.exists[result] = told(op, side)
    pair = (value, nothing(hint))
    op.merge(*(pair if side == 0 else pair[::-1]), result)
    return result


def flag(op: If, side: int, test: Value) -> Value:
    """A test of one block behind the branch."""
    result = Value("chosen", forget_values(test.kind), named=True)
    pair = (test, constant(False))
    op.merge(*(pair if side == 0 else pair[::-1]), result)
    return result


def check_frame(unit: Unit, op: If, closure: Closure) -> None:
    """A function that was made in a function that a block called reads variables of that."""
    frame = closure.frame
    if any(is_inside(op, value) for entry in frame.names.values() for value in values(entry)):
        raise _Lost


def values(entry: Entry) -> list[Value]:
    """The values that an entry holds directly."""
    if isinstance(entry, Value):
        return [entry]
    if isinstance(entry, Pack):
        return [value for item in entry.items for value in values(item)]
    return values(entry.entry) if isinstance(entry, Maybe) else []


def is_inside(op: If, value: Value) -> bool:
    """Whether a value is defined in a block of a branch."""
    block: Block | None = value.block or (value.op.block if value.op is not None else None)
    while block is not None and block.parent is not None:
        if block.parent is op:
            return True
        block = block.parent.block
    return False


def is_reached(value: Value, block: Block, operations: int) -> bool:
    """Whether a value is defined where a block has so many operations."""
    if value.op in block.operations[operations:]:
        return False
    own = value.block or (value.op.block if value.op is not None else None)
    if own is None:
        return False
    around: Block | None = block
    while around is not None and around is not own:
        around = around.parent.block if around.parent is not None else None
    return around is own


def holds_mixed(entry: Entry) -> bool:
    """Whether something in an entry differs in form by path."""
    if isinstance(entry, Pack):
        return any(map(holds_mixed, entry.items))
    return isinstance(entry, Mixed) or isinstance(entry, Maybe) and holds_mixed(entry.entry)
