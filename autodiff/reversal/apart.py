"""Whether a write never touches, after a load, what the load read."""

from __future__ import annotations

import operator

from autodiff.core.operation import Access, Apply, For, Loop, Operation
from autodiff.core.value import Value
from autodiff.core.window import At, Window

Place = tuple[Value | None, int]
"""A variable and an offset; a number alone has no variable."""


def affine(value: Value) -> Place:
    """The value as variable + offset."""
    if type(value.constant) is int:
        return None, value.constant
    op = value.op
    if (
        isinstance(op, Apply)
        and op.primitive.function in (operator.add, operator.sub)
        and len(op.operands) == 2
    ):
        left, right = op.operands
        sign = 1 if op.primitive.function is operator.add else -1
        if type(right.constant) is int:
            variable, offset = affine(left)
            return variable, offset + sign * right.constant
        if type(left.constant) is int and sign == 1:
            variable, offset = affine(right)
            return variable, offset + left.constant
    return value, 0


def direction(loop: For) -> int:
    """The sign by which the variable of a loop over a range moves, 0 if it is not known."""
    sign = step_sign(loop.over.op)
    return -sign if loop.backwards else sign


def step_sign(op: Operation | None) -> int:
    """The sign of a range's step, 0 if it is not known."""
    if not isinstance(op, Apply) or op.primitive.function is not range:
        return 0
    arguments = op.application.arguments
    if len(arguments) < 3:
        return 1
    step = getattr(arguments[2], "value", None)
    if step is None and hasattr(arguments[2], "operand"):
        inner = getattr(arguments[2].operand, "value", None)
        step = -inner if isinstance(inner, int) else None
    return 0 if not isinstance(step, int) or step == 0 else 1 if step > 0 else -1


def place(op: Access) -> Place | None:
    """A single index as variable + offset, None for another window."""
    window: Window | None = op.window
    if window is None or len(window.parts) != 1:
        return None
    part = window.parts[0]
    if isinstance(part, int):
        return None, part
    return affine(op.index[0]) if isinstance(part, At) and op.index[0].is_number else None


def apart(load: Access, write: Operation, loop: Loop | None, later: bool) -> bool:
    """Whether `write` never touches, after the load, what the load read.

    loop: the loop whose body both stand in. later: the write stands behind the load in it.
    """
    if not isinstance(write, Access) or write.base is not load.base:
        return False
    one, two = place(load), place(write)
    if one is None or two is None or one[0] is not two[0]:
        return False
    if one[0] is None:
        return one[1] != two[1] and (one[1] >= 0) == (two[1] >= 0)
    if not isinstance(loop, For) or one[0] is not loop.variable:
        return False
    ahead = (two[1] - one[1]) * direction(loop)
    return ahead > 0 or ahead == 0 and not later and direction(loop) != 0
