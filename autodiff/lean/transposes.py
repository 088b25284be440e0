"""What is turned twice is not turned; a product is not turned where its factors can be.

before: `p_bar = g @ k_T.T` with `k_T = k.T`, `q_bar = (x.T @ g).T`
after: `p_bar = g @ k`, `q_bar = g.T @ x`
"""

from __future__ import annotations

import operator
from typing import TypeGuard

import gast
import numpy as np

from autodiff.core import Apply, Operation, Value
from autodiff.kinds.kind import Array
from autodiff.lean.rewriting import Rewriting, is_call
from autodiff.primitives import Builder, structure


def transposes(work: Rewriting) -> None:
    """As above."""
    swapped: dict[Value, Value] = {}
    for op in work.operations():
        if not is_turn(op):
            continue
        inner = op.operands[0].op
        if is_turn(inner) and is_same(op, inner) and not inner.operands[0].is_written:
            own = inner.operands[0]
            swapped[op.result] = swapped.get(own, own)
        elif is_call(inner, operator.matmul) and work.is_single(inner.result):
            product(work, op, inner, swapped)
    work.rename(swapped)


def is_turn(op: Operation | None) -> TypeGuard[Apply]:
    """Whether an operation exchanges two axes of an array: all of a matrix."""
    if not is_call(op, np.transpose, np.swapaxes) or not isinstance(op.operands[0].kind, Array):
        return False
    given = len(op.application.arguments), len(op.application.keywords)
    return len(op.operands) == 1 and given == ((1, 0) if is_call(op, np.transpose) else (3, 0))


def is_same(one: Apply, other: Apply) -> bool:
    """Whether two operations exchange the same axes."""
    return one.primitive.function is other.primitive.function and [
        structure(node) for node in one.application.arguments[1:]
    ] == [structure(node) for node in other.application.arguments[1:]]


def product(work: Rewriting, op: Apply, inner: Apply, swapped: dict[Value, Value]) -> None:
    """The transpose of a product, of matrices or stacks, whose left factor is a transpose."""
    left, right = inner.operands
    turned, rank = left.op, len(getattr(left.kind, "shape", ()))
    axes = [getattr(node, "value", None) for node in op.application.arguments[1:]]
    last = rank == 2 if is_call(op, np.transpose) else {rank - 1, rank - 2} == {*axes}
    if not is_turn(turned) or not is_same(op, turned) or not last:
        return
    if len(getattr(right.kind, "shape", ())) != rank or turned.operands[0].is_written:
        return
    if not isinstance(op.result.kind, Array) or not right.op or right.is_written:
        return
    builder = Builder(op.block, work.references, op.origin, reverse=True)
    outer, op.block.operations = op.block.operations, []
    builder.source = op.source
    first = builder.apply(op.primitive, op.application, op.form, [right])
    made, op.block.operations = op.block.operations, outer
    at = outer.index(op)
    outer[at:at] = made
    work.users.setdefault(right, []).extend(made)
    own = turned.operands[0]
    work.binary(op, gast.MatMult(), first, swapped.get(own, own))
