"""The first contribution to adjoint memory that is zero is an assignment."""

from __future__ import annotations

import gast
import numpy as np

from autodiff.analysis.kind import Scalar
from autodiff.core.function import Function, within
from autodiff.core.operation import Accumulate, Apply, Block, Operation, Store
from autodiff.core.references import References
from autodiff.core.value import Value
from autodiff.dataflow.settle import rename
from autodiff.dataflow.uses import User, users
from autodiff.lean.late import is_zeros
from autodiff.lean.merged import are_alike
from autodiff.lean.ranges import visits_once
from autodiff.primitives.builder import Builder


def first_contributions(function: Function, references: References) -> None:
    """Zeros and what is added to them first are one.

    before: `u_bar = np.zeros_like(u)`, `u_bar += 2 * u`; `a_bar[0] += y_bar`
    after: `u_bar = 2 * u`; `a_bar[0] = y_bar`
    """
    used = users(function)
    swapped: dict[Value, Value] = {}
    for block in list(function.body.blocks()):
        for op in list(block.operations):
            if op.reverse and is_zeros(op):
                assert isinstance(op, Apply)
                first = first_user(op, used.get(op.result, []))
                if isinstance(first, Accumulate) and first.base is op.result:
                    if first.block is block and first.window is None:
                        whole(op, first, references, swapped, used)
                    elif visits_once(first, block, used.get(op.result, [])):
                        assign(first, used)
    rename(function, swapped)


def first_user(made: Operation, found: list[User]) -> Operation | None:
    """The operation that touches new memory first; of a loop, the only one in it that does."""
    block = made.block
    assert block is not None
    tops: dict[Operation, list[Operation]] = {}
    for user in found:
        op = user.parent if isinstance(user, Block) else user
        top = within(op, block)
        if op is None or top is None:
            continue
        tops.setdefault(top, []).append(op)
    if not tops:
        return None
    first = min(tops, key=block.operations.index)
    return tops[first][0] if len(tops[first]) == 1 else None


def assign(op: Accumulate, used: dict[Value, list[User]]) -> None:
    """`base[window] += value` as `base[window] = value`."""
    if op.sign == "-" or op.scattered:
        return
    block = op.block
    assert block is not None
    made = Store(op.operands, [], op.window, op.origin)
    made.block, made.reverse, made.source, made.raises = block, True, op.source, op.raises
    block.operations[block.operations.index(op)] = made
    for value in op.operands:
        used[value] = [made if user is op else user for user in used.get(value, [])]


def whole(
    made: Apply,
    first: Accumulate,
    references: References,
    swapped: dict[Value, Value],
    used: dict[Value, list[User]],
) -> None:
    """Zeros, to all of which something is added: a copy of that, or that itself if it is new."""
    value, start = made.result, first.value
    block = first.block
    assert block is not None
    if first.scattered:
        return
    outer, block.operations = block.operations, []
    builder = Builder(block, references, first.origin, reverse=True)
    builder.source = first.source
    own: Value | None = None
    if isinstance(start.kind, Scalar):
        if first.sign == "+" or start.is_constant:
            given = start if first.sign == "+" else builder.unary(gast.USub(), start)
            own = builder.call(
                "np.full_like", np.full_like, made.operands[0], given, kind=value.kind
            )
    elif are_alike(start, value):
        if first.sign == "-":
            own = builder.unary(gast.USub(), start)
        elif is_temporary(start, block) and len(used[start]) == 1:
            own = start
        else:
            own = builder.call(".copy", np.copy, start, kind=value.kind)
    added, block.operations = block.operations, outer
    if own is None:
        return
    at = block.operations.index(first)
    block.operations[at : at + 1] = added
    block.operations.remove(made)
    own.hint, own.named, own.memory = value.hint, value.named, value.memory
    swapped[value] = own


def is_temporary(value: Value, block: Block) -> bool:
    """Whether a value is new memory that an operation of the reverse sweep has just computed."""
    op = value.op
    return (
        isinstance(op, Apply)
        and op.reverse
        and op.block is block
        and op.primitive.memory == "new"
        and isinstance(op.form, (gast.BinOp, gast.UnaryOp))
    )
