"""What numbers an integer may be: constants, lengths, variables of loops over ranges of these."""

from __future__ import annotations

import operator

import gast
import numpy as np

from autodiff.core import Access, Apply, At, For, Operation, Span, Value, constant
from autodiff.kinds.kind import Array, Record, Scalar
from autodiff.kinds.size import Dim, Size, at_least
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


def place_of(access: Access) -> tuple[object, ...]:
    """Where in its memory an access is: the same for equal indices."""
    return access.window, *map(affine, access.index)


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


def least(value: Value) -> int | None:
    """A number that an integer is never below; None if it may be anything.

    It is known of constants, lengths, and the variables of loops over ranges of these.
    """
    variable, offset = affine(value)
    if variable is None:
        return offset
    op, loop = variable.op, variable.block.parent
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


def is_inside(op: Access) -> bool:
    """Whether a window is known to be inside of its memory.

    before: `for k in range(len(a)): t = a[k]`
    after: True
    """
    if op.window is not None and isinstance(op.base.kind, Record) and op.base.kind.cls is tuple:
        return len(op.window.parts) == 1 and op.window.parts[0] in op.base.kind.keys
    if not isinstance(op.base.kind, Array) or op.window is None:
        return op.window is None
    axes = [part for part in op.window.parts if part is not None]
    shape: list[Size] = list(op.base.kind.shape)
    if Ellipsis in axes:
        at = axes.index(Ellipsis)
        behind = len(axes) - at - 1
        axes[at : at + 1] = [Span(None, None, None)] * max(0, len(shape) - behind - at)
    if len(axes) > len(shape):
        return False
    for part, size in zip(axes, shape):
        if isinstance(part, Span):
            continue
        index = op.index[part.number] if isinstance(part, At) else constant(part)
        if not is_within(index, size):
            return False
    return True


def is_within(index: Value, size: Size) -> bool:
    """Whether an integer surely is a place on an axis of a size."""
    variable, offset = affine(index)
    if variable is None:
        return at_least(size) > offset if offset >= 0 else at_least(size) >= -offset
    loop = variable.block.parent
    low = least(variable)
    if not isinstance(loop, For) or variable is not loop.variable or low is None:
        return False
    made = loop.over.op
    if low + offset < 0 or step_sign(made) <= 0:
        return False
    assert isinstance(made, Apply)
    ends = made.application.arguments
    end = argument(made, ends[0] if len(ends) == 1 else ends[1])
    room = None if end is None else difference(size, end)
    return room is not None and offset <= room


def difference(size: Size, number: Value) -> int | None:
    """How much larger a size is than an integer, if that is known."""
    own = number.constant if type(number.constant) is int else None
    if own is None and isinstance(number.kind, Scalar):
        own = number.kind.value
    if type(size) is int and type(own) is int:
        return size - own
    if isinstance(size, Dim) and isinstance(own, Dim) and size.name == own.name:
        return own.offset - size.offset
    return None
