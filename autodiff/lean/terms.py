"""Signs move outwards; equal terms are added up by a factor; sums of products are `np.vdot`.

What the passes of this room share: who uses a value, and an operation that becomes another.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any, TypeGuard

import gast
import numpy as np

from autodiff.analysis.kind import Array
from autodiff.core import Block, Function, References, User, Value, constant, unite, users
from autodiff.core.operation import Accumulate, Apply, Load, Operation, Store, View
from autodiff.dataflow.integers import place_of
from autodiff.primitives import HOMOGENEOUS, Builder, sharing

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


def like_terms(function: Function, references: References) -> None:
    """Twice a number, where it is added to itself.

    before: `x_bar = scale * y + scale * y`
    after: `x_bar = 2.0 * scale * y`
    """
    work = Rewriting(function, references)
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
    work.users.setdefault(left, []).append(made)
    work.binary(op, gast.Mult(), first, right)


def inner_products(function: Function, references: References) -> None:
    """`np.vdot` in place of a sum over a temporary array.

    before: `r_bar += np.sum(total_bar * total)`
    after: `r_bar += np.vdot(total_bar, total)`
    """
    work = Rewriting(function, references)
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


class Rewriting:
    """One pass over the reverse sweep of a function."""

    def __init__(self, function: Function, references: References) -> None:
        self.function, self.references = function, references
        self.users = users(function)

    def operations(self) -> Iterator[Operation]:
        """The operations of the reverse sweep, in order."""
        for op in list(self.function.body.walk()):
            if op.reverse:
                yield op

    def used_by(self, value: Value) -> list[User]:
        """Who uses a value."""
        return self.users.get(value, [])

    def is_single(self, value: Value) -> bool:
        """Whether a value of the reverse sweep is used once, in the block that defines it."""
        used = self.used_by(value)
        op = value.op
        if op is None or not op.reverse or len(used) != 1:
            return False
        [user] = used
        return isinstance(user, Operation) and user.block is op.block

    def become(self, op: Apply, make: Callable[[Builder], Value]) -> None:
        """An operation computes something else from now on, under the same value."""
        made = make(Builder(Block(), self.references, op.origin, reverse=True)).op
        assert isinstance(made, Apply)
        for value in op.operands:
            self.users[value].remove(op)
        op.primitive, op.application, op.form = made.primitive, made.application, made.form
        op.operands = made.operands
        op.raises = made.raises
        for value in op.operands:
            self.users.setdefault(value, []).append(op)
        unite(op.result, *sharing(op.primitive, op.application, op.operands))

    def binary(self, op: Apply, operator: gast.operator, left: Value, right: Value) -> None:
        """An operation is an operator between two values from now on."""
        self.become(op, lambda builder: builder.binary(operator, left, right))

    def give(self, op: Operation, number: int, value: Value) -> None:
        """An operation has another operand from now on."""
        self.users[op.operands[number]].remove(op)
        op.operands[number] = value
        self.users.setdefault(value, []).append(op)
        if isinstance(op, View):
            unite(op.result, op.base)
        elif isinstance(op, Apply):  # its result may be the memory of that
            unite(op.result, *sharing(op.primitive, op.application, op.operands))

    def replace(self, op: Operation, old: Value, new: Value) -> None:
        """An operation uses another value from now on."""
        for number, value in enumerate(op.operands):
            if value is old:
                self.give(op, number, new)


def is_call(op: Any, *functions: Any) -> TypeGuard[Apply]:
    """Whether an operation applies one of some functions to operands by position."""
    if isinstance(op, Apply):
        own = op.primitive.function
        for function in functions:
            if own is function:
                return True
    return False


def is_zeros(op: Operation | None) -> TypeGuard[Apply]:
    """Whether an operation makes zeros in the form of an array."""
    return isinstance(op, Apply) and op.primitive.function is np.zeros_like


def is_clearing(op: Operation) -> TypeGuard[Store]:
    """Whether an operation sets a window to zero."""
    return (
        isinstance(op, Store)
        and not isinstance(op, Accumulate)
        and op.value.is_constant
        and op.value.constant == 0
    )


def is_same_place(op: Load | Store, clear: Store) -> bool:
    """Whether two operations touch the same window of the same memory."""
    return op.base is clear.base and place_of(op) == place_of(clear)
