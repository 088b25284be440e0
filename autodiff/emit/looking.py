"""What may be written where it is used: it is as good as a name, or looks at memory."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from autodiff.core import Block, Function, Push, Region, User, Users, Value, Verbatim
from autodiff.core.operation import Apply, If, Load, LoadOuter, Loop, Operation, View
from autodiff.kinds.kind import Array, Record, Scalar, Static
from autodiff.primitives import BOUND, DISPLAY, ITEM, is_world

if TYPE_CHECKING:
    from autodiff.emit.placement import Places


LAST = 10**9
COMPARISONS = frozenset(
    (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)
)
_WRITTEN = 4
"""A window is written so often, before it gets a name."""


def would_copy(places: Places, op: Operation, at: int) -> bool:
    """Whether memory that an operation of the reverse sweep looks at changes before the place
    where it would be printed, so that it would have to be copied.
    """
    return op.reverse and any(
        places.is_written(load.base.region, places.start[op], at, load)
        and not places.is_written(load.base.region, places.start[load], last(places, load), load)
        for load in looked_at(places, op)
    )


def last(places: Places, load: Load) -> int:
    """The place of the last operation that looks at what was loaded."""
    users = places.users.get(load.result, ())
    return max((places.start.get(user, LAST) for user in users), default=0)  # type: ignore[arg-type]


def looked_at(places: Places, op: Operation, depth: int = 6) -> Iterator[Load]:
    """The arrays in memory that an operation and its operands look at."""
    for value in op.operands if depth else ():
        inner = value.op
        if isinstance(inner, Load) and isinstance(value.kind, Array):
            yield inner
        elif isinstance(inner, Apply) and len(places.users.get(value, ())) == 1:
            yield from looked_at(places, inner, depth - 1)


def is_asked_again(places: Places, op: Apply) -> bool:
    """Whether a test of arguments is written out wherever it is asked, as in `if x > 0.0:` of
    both sweeps; the arguments are still there if nobody assigns to them.
    """
    if op.primitive.function not in COMPARISONS or not isinstance(op.result.kind, Scalar):
        return False
    given = places.function.body.parameters
    return all(
        value.is_constant or value in given and value.hint not in places.assigned
        for value in op.operands
    ) and all(isinstance(user, If) for user in places.users[op.result])


def is_window(places: Places, op: Operation, spots: list[tuple[int, Block]]) -> bool:
    """Whether an operation is a window of the kind `u[1:-1]`, which reads as well as a name."""
    return (
        isinstance(op, (Load, View))
        and op.reverse
        and op.window is not None
        and not op.index
        and isinstance(op.result.kind, Array)
        and isinstance(op.base.kind, Array)
        and len(op.result.kind.shape) == len(op.base.kind.shape)
        and len(spots) <= _WRITTEN
        and all(block is op.block for _, block in spots)
    )


def changed_between(function: Function) -> Iterator[Region]:
    """What others have, too, and may change before they call a pullback."""
    if function.seeds is not None:
        values = (value for op in function.body.walk() for value in op.results)
        regions = (value.region for value in values if value.region is not None)
        yield from dict.fromkeys(region for region in regions if region.exposed)


def joined(value: Value, block: User) -> list[Value]:
    """The values that a branch leaves a value as."""
    assert isinstance(block, Block)
    assert block.parent is not None
    return [r for v, r in zip(block.results, block.parent.results) if v is value]


def asking(value: Value, users: Users) -> Iterator[Operation | None]:
    """The operations to which it may be an error that a variable holds nothing; None: the end."""
    found, todo = {value}, [value]
    while todo:
        value = todo.pop()
        for user in users.get(value, ()):
            op = user.parent if isinstance(user, Block) else user
            if isinstance(op, Loop):
                given = user.results if isinstance(user, Block) else op.inits
                rows = list(zip(given, op.carried)) + list(zip(given, op.results))
            elif isinstance(user, Block) and op is not None:
                rows = list(zip(user.results, op.results))
            elif op is not None and (op.reverse or isinstance(op, Push) or is_sure(op)):
                continue
            else:
                yield op
                continue
            reached = {other for own, other in rows if own is value} - found
            found |= reached
            todo += reached


def is_read(op: Operation) -> bool:
    """Whether an operation only reads a variable, which is an error if that holds nothing."""
    return isinstance(op, Apply) and op.primitive is BOUND and op.raises


def is_sure(op: Operation) -> bool:
    """Whether an operation reads a variable where it surely holds something."""
    return isinstance(op, Apply) and op.primitive is BOUND and not op.raises


def overtaken(op: Operation, other: Operation) -> bool:
    """Whether an operation that may raise cannot be printed behind another."""
    if isinstance(other, (Push, Verbatim)) or other.blocks:
        return True
    return is_world(op) and (isinstance(other, LoadOuter) or bool(other.effects()))


def is_static(op: Apply) -> bool:
    """Whether an operation only names a size, a range or a part that does not change."""
    kind = op.result.kind
    if op.primitive is ITEM and op.operands[0].kind != kind:
        base = op.operands[0].op
        return not isinstance(base, Apply) or is_static(base) or base.primitive is DISPLAY
    if isinstance(kind, Record) and op.primitive.function is np.shape:
        return True
    if isinstance(kind, Static):
        return True
    if op.primitive.function is range or op.primitive is DISPLAY and is_short(op):
        return True
    return (
        op.primitive.cheap
        and isinstance(kind, Scalar)
        and kind.type == "int"
        and not op.result.named
    )


def is_short(op: Apply) -> bool:
    """Whether a display holds a few numbers, as in `y[[0, 2]]`."""
    return len(op.operands) <= _SHORT and all(type(v.constant) is int for v in op.operands)


_SHORT = 4
