"""Signs move outwards; equal terms are added up by a factor; sums of products are `np.vdot`."""

from __future__ import annotations

import operator

import gast
import numpy as np

from autodiff.core import NOWHERE, Accumulate, Apply, Block, Operation, User, Value, constant
from autodiff.kinds.kind import Array
from autodiff.lean.rewriting import Rewriting, is_call
from autodiff.primitives import HOMOGENEOUS

_OTHER = {"+": "-", "-": "+"}


def signs(work: Rewriting) -> None:
    """Additions of what has a sign are subtractions.

    before: `x_bar = -(y_bar * a) + z_bar`, `a_bar[k] += -y_bar * x`, `np.sum(-y_bar * q) / n`
    after: `x_bar = z_bar - y_bar * a`, `a_bar[k] -= y_bar * x`, `-np.sum(y_bar * q) / n`
    """
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
        elif isinstance(op, Apply) and len(work.used_by(op.results[0])) > 1:
            apart(work, op)


def apart(work: Rewriting, op: Apply) -> None:
    """What is used several times has no sign where all who add it can take that.

    before: `d_bar = -g * u`, `x_bar[1:] += d_bar`, `x_bar[:-1] -= d_bar`
    after: `d_bar = g * u`, `x_bar[1:] -= d_bar`, `x_bar[:-1] += d_bar`
    """
    value, places = op.results[0], HOMOGENEOUS.get(op.primitive.function, ())
    number = next((k for k in places for v in op.operands[k : k + 1] if has_sign(work, v)), None)
    takers = [taker(work, user, value) for user in work.used_by(value)]
    distinct = {user for user, _ in filter(None, takers)}
    if number is None or len(distinct) < len(takers):
        return
    strip(work, op, number)
    for user, own in filter(None, takers):
        if isinstance(user, Accumulate):
            user.sign = _OTHER[user.sign]
        elif is_call(user, operator.neg):
            for further in [*work.used_by(user.result)]:
                assert isinstance(further, Operation)
                work.replace(further, user.result, own)
        else:
            other = gast.Add() if is_call(user, operator.sub) else gast.Sub()
            work.binary(user, other, user.operands[1 - user.operands.index(own)], own)


def taker(work: Rewriting, user: User, value: Value) -> tuple[Accumulate | Apply, Value] | None:
    """Who adds a value, or a product with it that is used once, and can subtract it instead."""
    if isinstance(user, Block) or user.operands.count(value) != 1:
        return None
    if isinstance(user, Accumulate):
        return (user, value) if user.value is value else None
    if is_call(user, operator.mul, operator.truediv) and work.is_single(user.result):
        if is_call(user, operator.truediv) and user.operands[1] is value:
            return None
        return taker(work, work.used_by(user.result)[0], user.result)
    if is_call(user, operator.neg) and value.is_number:
        known = all(isinstance(further, Operation) for further in work.used_by(user.result))
        return (user, value) if known else None
    if not user.reverse or not is_call(user, operator.add, operator.sub):
        return None
    if is_call(user, operator.sub):
        return (user, value) if user.operands[1] is value else None
    other = user.operands[1 - user.operands.index(value)]
    return None if has_sign(work, other) else (user, value)


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
        if op.reverse and op.block is not NOWHERE and not work.used_by(value):
            op.block.operations.remove(op)
            work.users[op.operands[0]].remove(op)
        return
    for k in HOMOGENEOUS[op.primitive.function]:
        if k < len(op.operands) and has_sign(work, op.operands[k]):
            strip(work, op, k)
            return


def like_terms(work: Rewriting) -> None:
    """Twice a number, where it is added to itself.

    before: `x_bar = scale * y + scale * y`
    after: `x_bar = 2.0 * scale * y`
    """
    for op in work.operations():
        if is_call(op, operator.add) and len(op.operands) == 2:
            one, other = op.operands
            if one is other and one.is_number and one.kind == op.result.kind:
                double(work, op, one)


def double(work: Rewriting, op: Apply, term: Value) -> None:
    """An operation is twice a term from now on: of a product of its own, of the first factor."""
    inner = term.op
    users = set(work.used_by(term))
    if not is_call(inner, operator.mul) or users != {op}:
        work.binary(op, gast.Mult(), constant(2.0), term)
        return
    left, right = inner.operands
    first = Value("", term.kind)
    operands = [constant(2.0), left]
    made = Apply(inner.primitive, inner.application, inner.form, operands, [first], op.origin)
    made.block, made.reverse, made.source = op.block, True, op.source
    first.block = op.block
    op.block.operations.insert(op.block.operations.index(op), made)
    for value in operands:
        work.users.setdefault(value, []).append(made)
    work.binary(op, gast.Mult(), first, right)


def inner_products(work: Rewriting) -> None:
    """`np.vdot` in place of a sum over a temporary array.

    before: `r_bar += np.sum(total_bar * total)`
    after: `r_bar += np.vdot(total_bar, total)`
    """
    for op in work.operations():
        if not is_call(op, np.sum) or len(op.operands) != 1:
            continue
        product = op.operands[0]
        if len(op.application.arguments) != 1 or op.application.keywords:
            continue
        inner = product.op
        if not is_call(inner, operator.mul) or not work.is_single(product):
            continue
        left, right = inner.operands
        if are_alike(left, right):
            multiplied(work, op, left, right)


def multiplied(work: Rewriting, op: Apply, left: Value, right: Value) -> None:
    """An operation is an inner product from now on."""
    work.become(op, lambda builder: builder.call("np.vdot", np.vdot, left, right))


def are_alike(one: Value, two: Value) -> bool:
    """Whether both are arrays of doubles that are known to be of one shape."""
    a, b = one.kind, two.kind
    return (
        isinstance(a, Array)
        and isinstance(b, Array)
        and a.dtype == b.dtype == "float64"
        and a.shape == b.shape
        and None not in a.shape
        and len(a.shape) > 0
    )
