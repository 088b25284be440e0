"""The first contribution to adjoint memory that is zero is an assignment."""

from __future__ import annotations

from collections.abc import Sequence

import gast
import numpy as np

from autodiff.core import (
    Access,
    Accumulate,
    Apply,
    At,
    Block,
    For,
    Function,
    If,
    Operation,
    References,
    User,
    Value,
    Window,
    around,
    replaced,
    users,
    within,
)
from autodiff.dataflow.integers import affine, smallest
from autodiff.dataflow.settle import rename
from autodiff.kinds.kind import Scalar
from autodiff.lean.late import is_zeros
from autodiff.lean.merged import are_alike, assign
from autodiff.lean.rewriting import is_call
from autodiff.primitives import Builder


def first_contributions(function: Function, references: References) -> None:
    """Zeros and what is added to them first are one.

    before: `u_bar = np.zeros_like(u)`, `u_bar += 2 * u`; `a_bar[0] += y_bar`
    after: `u_bar = 2 * u`; `a_bar[0] = y_bar`

    Where both blocks of a branch begin with it, zeros are made in neither. What is added first is
    not copied if nobody else uses it.
    """
    used = users(function)
    swapped: dict[Value, Value] = {}
    for block in list(function.body.blocks()):
        for op in list(block.operations):
            if op.reverse and is_call(op, np.copy):
                handed(op, swapped, used)
            if op.reverse and is_zeros(op):
                top, ops = first_users(block, used.get(op.result, []))
                first = ops[0] if len(ops) == 1 else None
                if type(top) is If and starts(top, op.result, used):
                    block.operations.remove(op)
                    used[op.operands[0]].remove(op)
                    swapped[op.result] = in_branches(op, top, references, used)
                elif isinstance(first, Accumulate) and first.base is op.result:
                    if first.block is block and first.window is None:
                        whole(op, first, references, swapped, used)
                    elif visits_once(first, block, used.get(op.result, [])):
                        assign(first, references, used)
    rename(function, swapped)


def first_users(block: Block, found: list[User]) -> tuple[Operation | None, list[Operation]]:
    """The operation of a block that touches new memory first, and those in it that do."""
    tops: dict[Operation, list[Operation]] = {}
    for user in found:
        op = user.parent if isinstance(user, Block) else user
        top = within(op, block)
        if op is not None and top is not None:
            tops.setdefault(top, []).append(op)
    if not tops:
        return None, []
    first = next(op for op in block.operations if op in tops)
    return first, tops[first]


def starts(branch: If, value: Value, used: dict[Value, list[User]]) -> bool:
    """Whether both blocks of a branch first add something to all of memory that is zero."""
    for block in branch.blocks:
        top, _ = first_users(block, used.get(value, []))
        if type(top) is If:
            if not starts(top, value, used):
                return False
        elif (
            not isinstance(top, Accumulate)
            or top.base is not value
            or top.window is not None
            or top.scattered
            or not (is_number(top) and top.sign == "+" or is_alike(top, value))
        ):
            return False
    return True


def is_number(op: Accumulate) -> bool:
    """Whether one number is added to all elements."""
    return isinstance(op.value.kind, Scalar)


def is_alike(op: Accumulate, value: Value) -> bool:
    """Whether an array of the same form is added."""
    return are_alike(op.value, value)


def in_branches(
    made: Apply, branch: If, references: References, used: dict[Value, list[User]]
) -> Value:
    """What both blocks of a branch begin with, in place of zeros."""
    ends, value = [], made.result
    for block in branch.blocks:
        first, _ = first_users(block, used[value])
        if isinstance(first, Accumulate):
            own = begun(made, first, references, used)
        else:
            assert isinstance(first, If)
            own = in_branches(made, first, references, used)
        assert own is not None
        replaced(block, value, own)
        ends.append(own)
    result = Value(value.hint, value.kind, value.memory, named=value.named)
    branch.merge(ends[0], ends[1], result)
    used[result] = used[value]
    return result


def whole(
    made: Apply,
    first: Accumulate,
    references: References,
    swapped: dict[Value, Value],
    used: dict[Value, list[User]],
) -> None:
    """Zeros, to all of which something is added: a copy of that, or that itself if it is new."""
    own = begun(made, first, references, used)
    if own is not None:
        made.block.operations.remove(made)
        used[made.operands[0]].remove(made)
        swapped[made.result] = own


def begun(
    made: Apply, first: Accumulate, references: References, used: dict[Value, list[User]]
) -> Value | None:
    """What is added to zeros first, in their place; None if that is of another form."""
    value, start = made.result, first.value
    block = first.block
    if first.scattered:
        return None
    is_handed = is_temporary(start) and is_last(start, first, used)
    outer, block.operations = block.operations, []
    builder = Builder(block, references, first.origin, reverse=True)
    builder.source = first.source
    own: Value | None = None
    if is_number(first):
        if first.sign == "+" or start.is_constant:
            given = start if first.sign == "+" else builder.unary(gast.USub(), start)
            own = builder.call(
                "np.full_like", np.full_like, made.operands[0], given, kind=value.kind
            )
    elif is_alike(first, value):
        if first.sign == "-":
            own = builder.unary(gast.USub(), start)
        elif is_handed:
            own = start
            read_now(used[own])
        else:
            own = builder.call(".copy", np.copy, start, kind=value.kind)
            if start.is_written:
                read_now(builder.block.operations)
    added, block.operations = block.operations, outer
    if own is None:
        return None
    at = block.operations.index(first)
    block.operations[at : at + 1] = added
    for operand in first.operands:
        used[operand].remove(first)
    for op in added:
        for operand in op.operands:
            used.setdefault(operand, []).append(op)
    used[own] = [*used.get(own, []), *(user for user in used[value] if is_inside(user, block))]
    own.hint, own.named, own.memory = value.hint, value.named, value.memory
    return own


def is_inside(user: User, block: Block) -> bool:
    """Whether a user is in a block, or is what the block gives."""
    op = user.parent if isinstance(user, Block) else user
    return user is block or op is not None and within(op, block) is not None


def handed(copy: Apply, swapped: dict[Value, Value], used: dict[Value, list[User]]) -> None:
    """A copy of new memory that nobody uses any more is that memory."""
    value, own = copy.result, copy.operands[0]
    if own.kind != value.kind or not is_temporary(own) or not is_last(own, copy, used):
        return
    copy.block.operations.remove(copy)
    used[own].remove(copy)
    read_now(used[own])
    used[own] += used.get(value, [])
    own.hint, own.named, own.memory = value.hint, value.named, value.memory
    swapped[value] = own


def read_now(users: Sequence[User]) -> None:
    """What uses a value reads what it holds now: it becomes memory that changes later."""
    for user in users:
        if isinstance(user, Apply):
            user.reads = True


def is_temporary(value: Value) -> bool:
    """Whether a value is new memory that an operation of the reverse sweep has computed."""
    op = value.op
    return (
        isinstance(op, Apply)
        and op.reverse
        and op.primitive.memory == "new"
        and (op.primitive.elementwise or isinstance(op.form, (gast.BinOp, gast.UnaryOp)))
    )


def is_last(value: Value, last: Operation, used: dict[Value, list[User]]) -> bool:
    """Whether nobody uses a value, or a view of it, after an operation, which is not repeated."""
    assert value.op is not None
    made, blocks = value.op.block, []
    for block in around(last.block):
        blocks.append(block)
        if block is made:
            break
        if type(block.parent) is not If:
            return False
    if blocks[-1] is not made:
        return False
    for user in used.get(value, []):
        if isinstance(user, Block) or any(own.region is value.region for own in user.results):
            return False
        inner = next(block for block in blocks if within(user, block) is not None)
        own, here = within(user, inner), within(last, inner)
        places = inner.operations
        if own is not here and places.index(own) > places.index(here):  # type: ignore[arg-type]
            return False
    return True


def visits_once(op: Access, block: Block, users: list[User]) -> bool:
    """Whether an access in loops of a block touches another element each time, and other elements
    than anybody before; `users` use the memory, of which `op` is the only one in its outermost
    loop.
    """
    loops: list[For] = []
    inner = op.block
    while inner is not None and inner is not block:
        parent = inner.parent
        if not isinstance(parent, For):
            return False
        loops.append(parent)
        inner = parent.block
    window = op.window
    if inner is None or window is None:
        return not loops and window is not None
    return all(any(is_own(op, window, part, loop) for part in window.parts) for loop in loops)


def is_own(op: Access, window: Window, part: object, loop: For) -> bool:
    """Whether a part of an index is another place of the memory in each iteration of a loop."""
    if not isinstance(part, At) or not op.index[part.number].is_number:
        return False
    variable, offset = affine(op.index[part.number])
    lowest = smallest(loop)
    return variable is loop.variable and lowest is not None and lowest + offset >= 0
