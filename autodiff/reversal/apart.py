"""Whether a write never touches, after a load, what the load read."""

from __future__ import annotations

import operator

import gast
import numpy as np

from autodiff.core.operation import Access, Apply, Block, For, Loop, Operation
from autodiff.core.value import Value, constant
from autodiff.core.window import At, Window
from autodiff.primitives.table import ITEM

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
    found = argument(op, arguments[2])
    step = found.constant if found is not None and type(found.constant) is int else 0
    return (step > 0) - (step < 0)


def place(op: Access) -> Place | None:
    """A single index as variable + offset, None for another window."""
    window: Window | None = op.window
    if window is None or len(window.parts) != 1:
        return None
    part = window.parts[0]
    if isinstance(part, int):
        return None, part
    return affine(op.index[0]) if isinstance(part, At) and op.index[0].is_number else None


def apart(load: Access, write: Operation, loop: Loop | None, later: bool, again: bool) -> bool:
    """Whether `write` never touches, after the load, what the load read.

    loop: the innermost loop that both stand in. later: the write comes behind the load in an
    iteration of it. again: it also comes in further iterations.
    """
    if not isinstance(write, Access) or write.base is not load.base:
        return False
    if again and loop is not None and is_inside(load.base, loop.body):
        return False  # it may be other memory in each iteration, or another part of it
    one, two = place(load), place(write)
    if one is None or two is None or one[0] is not two[0]:
        return False
    if one[0] is None:
        return one[1] != two[1] and (one[1] >= 0) == (two[1] >= 0)
    lowest = least(one[0])
    if lowest is None or lowest + min(one[1], two[1]) < 0:
        return False  # negative places count from the end
    if not again:
        return one[1] != two[1]
    if not isinstance(loop, For) or one[0] is not loop.variable:
        return False
    ahead = (two[1] - one[1]) * direction(loop)
    return ahead > 0 or ahead == 0 and not later and direction(loop) != 0


def is_inside(value: Value, block: Block) -> bool:
    """Whether a value is defined in a block, or in one nested in it."""
    inner = value.block
    while inner is not None and inner is not block:
        inner = inner.parent.block if inner.parent is not None else None
    return inner is block


def least(value: Value) -> int | None:
    """A number that an integer is never below; None if it may be anything.

    It is known of constants, lengths, and the variables of loops over ranges of these.
    """
    variable, offset = affine(value)
    if variable is None:
        return offset
    op, loop = variable.op, variable.block.parent if variable.block is not None else None
    found = None
    if isinstance(op, Apply):
        source = op.operands[0].op if op.primitive is ITEM else op
        named = source.primitive.function if isinstance(source, Apply) else None
        found = 0 if named in (len, np.shape, np.size, np.ndim) else None
    elif isinstance(loop, For) and variable is loop.variable:
        found = smallest(loop)
    return None if found is None else found + offset


def smallest(loop: For) -> int | None:
    """A number that a loop's variable is never below; None if it may be anything."""
    op = loop.over.op
    if not isinstance(op, Apply) or op.primitive.function is not range:
        return None
    ends = [argument(op, node) for node in op.application.arguments]
    if len(ends) == 1:
        return 0
    sign = step_sign(op)  # the numbers are the same ones in a loop that runs backwards
    end = ends[0] if sign > 0 else ends[1]
    found = None if end is None or sign == 0 else least(end)
    return found if found is None or sign > 0 else found + 1


def argument(op: Apply, node: object) -> Value | None:
    """The value of an argument: an operand, or a constant that is written out."""
    name = getattr(node, "id", "")
    if name.isdigit():
        return op.operands[int(name)]
    sign = -1 if isinstance(getattr(node, "op", None), gast.USub) else 1
    number = getattr(node if sign == 1 else getattr(node, "operand", None), "value", None)
    return constant(sign * number) if type(number) is int else None
