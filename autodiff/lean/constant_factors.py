"""The constants of a product are one constant; what is turned twice is not turned."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeGuard

import gast
import numpy as np

from autodiff.core import Apply, Operation, Span, Store, Value, View, constant
from autodiff.kinds.kind import Array, Scalar
from autodiff.lean.rewriting import Rewriting, is_call
from autodiff.primitives import Builder, structure

_FLOAT = Scalar("float", None)


@dataclass(frozen=True, slots=True)
class Factor:
    """A constant in a product: operand `number` of `op`; `below`: it divides."""

    op: Apply
    number: int
    below: bool

    @property
    def number_of(self) -> float:
        """Its value."""
        found = self.op.operands[self.number].constant
        assert isinstance(found, (int, float))
        return found


def products(work: Rewriting) -> None:
    """One constant in each product, and none where it is one. What is computed again stays as it
    was, to the last bit: a test may ask for it.

    before: `2 * (1.0 / n) * d`, `y_bar * 0.5 * (2 * x)`, `1.0 * x_bar * w`
    after: `2.0 / n * d`, `y_bar * x`, `x_bar * w`
    """
    swapped: dict[Value, Value] = {}
    for op in work.operations():
        if is_product(op) and op.again is None and not is_inside(work, op):
            one_constant(work, op, swapped)
    work.rename(swapped)


def is_product(op: object) -> TypeGuard[Apply]:
    """Whether an operation multiplies or divides."""
    return is_call(op, operator.mul, operator.truediv)


def is_inside(work: Rewriting, op: Apply) -> bool:
    """Whether an operation is a factor of a further product."""
    return work.is_single(op.result) and is_product(work.used_by(op.result)[0])


def factors(work: Rewriting, op: Apply, below: bool = False) -> Iterator[Factor]:
    """The constants of a product, from left to right."""
    for number, value in enumerate(op.operands):
        under = below != (number == 1 and is_call(op, operator.truediv))
        if value.is_constant:
            if type(value.constant) in (int, float) and value.constant != 0:
                yield Factor(op, number, under)
        elif work.is_single(value):
            inner = value.op
            if isinstance(inner, View) and is_spread(inner) and work.is_single(inner.base):
                inner = inner.base.op
            if isinstance(inner, Apply) and is_product(inner):
                yield from factors(work, inner, under)


def is_spread(op: View) -> bool:
    """Whether a view is of all elements, with further axes: `x[..., None]`."""
    parts = op.window.parts if op.window is not None else ()
    return not op.index and all(part in (None, Ellipsis, Span(None, None, None)) for part in parts)


def one_constant(work: Rewriting, op: Apply, swapped: dict[Value, Value]) -> None:
    """All constants of a product in one of the places where they stand."""
    found = list(factors(work, op))
    if not found or len(found) == 1 and found[0].number_of != 1:
        return
    whole = multiplied(found)
    if whole is None:
        return
    above = [each for each in found if not each.below]  # what is below is divided by
    tops = [each for each in above if is_top(each)]
    kept = next(iter(tops if whole == 1 else [*tops, *above]), None)
    if kept is None and whole != 1:
        return
    for each in found:
        work.give(each.op, each.number, constant(whole if each is kept else 1.0))
    for each in found:
        if each is not kept and not is_top(each):
            without(work, each, swapped)


def is_top(each: Factor) -> bool:
    """Whether a constant is what something is divided by, so that it cannot go."""
    return each.number == 0 and is_call(each.op, operator.truediv)


def multiplied(found: list[Factor]) -> float | None:
    """The product of constants, None if it is not exact as it is written."""
    exact, number = Decimal(1), 1.0
    for each in found:
        own = each.number_of
        exact = exact / Decimal(repr(own)) if each.below else exact * Decimal(repr(own))
        number = number / own if each.below else number * own
    if all(type(each.number_of) is int for each in found) and number == int(number):
        return int(number) if not any(each.below for each in found) else float(number)
    return number if Decimal(repr(number)) == exact else None


def without(work: Rewriting, each: Factor, swapped: dict[Value, Value]) -> None:
    """A product without a factor is its other factor."""
    value, other = each.op.result, each.op.operands[1 - each.number]
    if not other.is_constant and not may_be(work, value, other):
        return
    if isinstance(other.constant, int) and getattr(value.kind, "type", "") == "float":
        other = constant(float(other.constant))
    while other in swapped:
        other = swapped[other]
    swapped[value] = other


def may_be(work: Rewriting, value: Value, other: Value) -> bool:
    """Whether a value may be another instead of a copy of it: numbers; arrays that are read."""
    if value.is_number and other.is_number:
        is_float = other.kind == _FLOAT
        return is_float or value.kind == other.kind or not is_integer(other)
    if is_integer(other) or value.kind != other.kind:
        return False
    return all(
        isinstance(user, Apply)
        and user.primitive.memory == "new"
        or isinstance(user, Store)
        and user.operands[0] is not value
        or isinstance(user, View)
        and is_spread(user)
        and may_be(work, user.result, user.result)
        for user in work.used_by(value)
    )


def is_integer(value: Value) -> bool:
    """Whether a value is or may be of whole numbers, which a float makes float."""
    return getattr(value.kind, "dtype", None) != "float64"


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
