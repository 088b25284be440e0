"""Elements of new adjoint memory that are given one by one are not added to zeros.

before: `x_bar = np.zeros_like(x)`, `x_bar[2] += a`, `x_bar[0] += b`
after: `x_bar = np.array([b, 0.0, a])`; for vectors of unknown length `x_bar[2] = a`, `x_bar[0] = b`
"""

from __future__ import annotations

import gast
import numpy as np

from autodiff.core import (
    Accumulate,
    Apply,
    Block,
    Function,
    Operation,
    References,
    User,
    Value,
    constant,
    users,
    within,
)
from autodiff.dataflow.settle import rename
from autodiff.kinds.kind import Array, Scalar
from autodiff.lean.late import is_zeros
from autodiff.lean.merged import assign
from autodiff.primitives import Builder

Given = list[tuple[int, Accumulate]]
"""The elements, and what is added to them."""

_REAL = (Scalar("float", None), Scalar("float", "float64"))


def filled(function: Function, references: References) -> None:
    """As above."""
    used, swapped = users(function), dict[Value, Value]()
    for block in function.body.blocks():
        for op in list(block.operations):
            if not op.reverse or not is_zeros(op) or not isinstance(op.result.kind, Array):
                continue
            if len(op.result.kind.shape) != 1:
                continue
            given = elements_of(op, block, used.get(op.result, []))
            size = op.result.kind.shape[0]
            if given and isinstance(size, int) and is_real(op.result.kind, given):
                swapped[op.result] = shown(op, size, given, references, used)
                continue
            for each in dict(reversed(given)).values():
                assign(each, references, used)
    rename(function, swapped)


def elements_of(made: Apply, block: Block, found: list[User]) -> Given:
    """What is added to elements of new memory before anything else is done to it; where its length
    is not known an index from the end may be any.
    """
    tops: dict[Operation, User] = {}
    for user in found:
        own = user.parent if isinstance(user, Block) else user
        top = within(own, block)
        if top is not None:
            tops[top] = user
    size = made.result.kind.shape[0] if isinstance(made.result.kind, Array) else None
    given: Given = []
    for op in block.operations:
        if op not in tops:
            continue
        place = element(op, made.result) if tops[op] is op else None
        if place is not None and place < 0 and isinstance(size, int):
            place += size
        if place is None or any((place < 0) != (own < 0) for own, _ in given):
            break
        if isinstance(size, int) and not 0 <= place < size:
            break
        assert isinstance(op, Accumulate)
        given.append((place, op))
    return given


def element(op: Operation, base: Value) -> int | None:
    """The element to which an operation adds a number."""
    if not isinstance(op, Accumulate) or op.base is not base or op.scattered or op.window is None:
        return None
    parts = op.window.parts
    if len(parts) != 1 or type(parts[0]) is not int or not op.value.is_number:
        return None
    return parts[0] if op.operands.count(base) == 1 else None


def is_real(whole: Array, given: Given) -> bool:
    """Whether an array of what is given has the dtype that the zeros have."""
    return whole.dtype == "float64" and all(
        type(op.value.constant) is float if op.value.is_constant else op.value.kind in _REAL
        for _, op in given
    )


def shown(
    made: Apply, size: int, given: Given, references: References, used: dict[Value, list[User]]
) -> Value:
    """The array, written out where the last element is given."""
    block, last = made.block, given[-1][1]
    outer, block.operations = block.operations, []
    builder = Builder(block, references, last.origin, reverse=True)
    builder.source = last.source
    ends: dict[int, Value] = {}
    for place, op in given:
        if place in ends:
            step = gast.Add() if op.sign == "+" else gast.Sub()
            ends[place] = builder.binary(step, ends[place], op.value)
        else:
            ends[place] = op.value if op.sign == "+" else builder.unary(gast.USub(), op.value)
    whole = [ends.get(place, constant(0.0)) for place in range(size)]
    items = builder.display(list, tuple(range(size)), whole)
    own = builder.call("np.array", np.array, items, kind=made.result.kind)
    added, block.operations = block.operations, outer
    at = outer.index(last)
    outer[at:at] = added
    steps = [made, *(op for _, op in given)]
    block.operations = [op for op in outer if op not in steps]
    value = made.result
    used[own] = [user for user in used[value] if user not in steps]
    own.hint, own.named, own.memory = value.hint, value.named, value.memory
    return own
