"""Signs move outwards until an addition takes them."""

from __future__ import annotations

import operator

import gast
import numpy as np

from autodiff.core.function import Function
from autodiff.core.operation import Accumulate, Apply, Operation
from autodiff.core.references import References
from autodiff.core.value import Value
from autodiff.lean.rewriting import Rewriting, is_call
from autodiff.primitives.algebra import HOMOGENEOUS

_OTHER = {"+": "-", "-": "+"}


def signs(function: Function, references: References) -> None:
    """Additions of what has a sign are subtractions.

    before: `x_bar = -(y_bar * a) + z_bar`, `a_bar[k] += -y_bar * x`, `np.sum(-y_bar * q) / n`
    after: `x_bar = z_bar - y_bar * a`, `a_bar[k] -= y_bar * x`, `-np.sum(y_bar * q) / n`
    """
    work = Rewriting(function, references)
    for op in work.operations():
        if isinstance(op, Accumulate):
            if has_sign(work, op.value):
                op.sign = _OTHER[op.sign]
                strip(work, op, 1)
        elif is_call(op, operator.add, np.add):
            added(work, op)
        elif is_call(op, operator.sub, np.subtract):
            if has_sign(work, op.operands[1]):
                strip(work, op, 1)
                work.binary(op, gast.Add(), *op.operands)
        elif is_call(op, operator.neg, np.negative):
            users = list(work.used_by(op.results[0]))
            if op.operands[0].is_number and has_sign(work, op.operands[0]):
                if all(isinstance(user, Operation) for user in users):
                    strip(work, op, 0)
                    for user in dict.fromkeys(users):
                        assert isinstance(user, Operation)
                        work.replace(user, op.results[0], op.operands[0])
        elif is_call(op, np.sum) and any(has_sign(work, own) for own in op.operands[:1]):
            outwards(work, op)


def added(work: Rewriting, op: Apply) -> None:
    """`a + -b` is `a - b`, and so is `-b + a`."""
    if len(op.operands) != 2:
        return
    for number in (1, 0):
        if has_sign(work, op.operands[number]) and not has_sign(work, op.operands[1 - number]):
            strip(work, op, number)
            work.binary(op, gast.Sub(), op.operands[1 - number], op.operands[number])
            return


def outwards(work: Rewriting, op: Apply) -> None:
    """`np.sum(-a)` is `-np.sum(a)`: whoever adds it takes the sign."""
    strip(work, op, 0)
    assert op.block is not None
    inner = Apply(op.primitive, op.application, op.form, op.operands, [], op.origin)
    value = Value("", op.result.kind)
    inner.results, inner.block, inner.reverse, inner.source = [value], op.block, True, op.source
    value.op, value.block = inner, op.block
    op.block.operations.insert(op.block.operations.index(op), inner)
    for operand in op.operands:
        work.users.setdefault(operand, []).append(inner)
    work.become(op, lambda b: b.unary(gast.USub(), value))


def has_sign(work: Rewriting, value: Value) -> bool:
    """Whether a value is the negative of another, or a product that is used once of such."""
    op = value.op
    if not isinstance(op, Apply):
        return False
    if is_call(op, operator.neg, np.negative):
        there = op.reverse or op.operands[0].block is work.function.body
        return there and len(op.operands) == 1
    if not op.reverse:
        return False
    places = HOMOGENEOUS.get(op.primitive.function, ())
    return work.is_single(value) and any(
        has_sign(work, op.operands[k]) for k in places if k < len(op.operands)
    )


def strip(work: Rewriting, user: Apply | Accumulate, number: int) -> None:
    """Makes an operand of a user the one without its sign."""
    value = user.operands[number]
    op = value.op
    assert isinstance(op, Apply)
    if is_call(op, operator.neg, np.negative):
        work.give(user, number, op.operands[0])
        return
    for k in HOMOGENEOUS[op.primitive.function]:
        if k < len(op.operands) and has_sign(work, op.operands[k]):
            strip(work, op, k)
            return
