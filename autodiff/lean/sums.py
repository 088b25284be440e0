"""Several contributions of one statement are added together, as far as they fit in a line.

The constants of a product are one constant.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

import gast

from autodiff.analysis.kind import Array, Scalar
from autodiff.core import Accumulate, Apply, Block, Function, References, Store, Value, constant
from autodiff.dataflow.integers import place_of
from autodiff.dataflow.settle import rename
from autodiff.emit.budget import Budget, Size, length
from autodiff.lean.merged import touches
from autodiff.lean.terms import Rewriting, is_call
from autodiff.optimize.measure import DEPTH, WIDTH
from autodiff.primitives.builder import Builder

_OPERATOR = 3
"""The columns of ` + `."""
_WAITING = 8
"""So many elements are looked at, to which something was added last."""


@dataclass(slots=True)
class Line:
    """Steps of a sum, `x_bar += term`, that will be one; how wide and how deep it is so far."""

    steps: list[Apply]
    size: Size = field(default_factory=lambda: Size(0))


def sums(function: Function, references: References) -> None:
    """One statement for what would be several.

    before: `x_bar += a * b`, `x_bar += c`, `u_bar[i] += d`, `u_bar[i] -= e`
    after: `x_bar += a * b + c`, `u_bar[i] += d - e`
    """
    for block in function.body.blocks():
        once(function, references, block)
    work = Rewriting(function, references)
    budget = Budget(work.users, function.seeds is None)
    for block in list(function.body.blocks()):
        line: Line | None = None
        for op in list(block.operations):
            if is_call(op, operator.add, operator.sub) and is_step(work, op):
                size = needed(budget, op)
                if line is not None and goes_on(work, line, op) and fits(budget, line, size):
                    line.steps.append(op)
                    line.size = joined(line.size, size)
                    continue
                close(work, line)
                line = Line([op], size)
        close(work, line)


def is_step(work: Rewriting, op: Apply) -> bool:
    """Whether an operation adds a term of the same form to a sum."""
    if not op.reverse or len(op.operands) != 2 or not hasattr(op.form, "left"):
        return False
    total, term = op.operands
    if total.is_constant or term.is_constant or not op.result.hint or op.result.hint != total.hint:
        return False
    kind = op.result.kind
    if isinstance(kind, Array):
        return total.kind == term.kind == kind and None not in kind.shape
    return isinstance(kind, Scalar) and total.is_number and term.is_number


def needed(budget: Budget, op: Apply) -> Size:
    """What the term of a step takes."""
    term = op.operands[1]
    if budget.is_part(term, op):
        return budget.tree(term, True)[0]
    return Size(length(term))


def joined(one: Size, other: Size) -> Size:
    """What the sum of two terms takes."""
    return Size(one.width + _OPERATOR + other.width, max(one.depth, other.depth) + 1)


def goes_on(work: Rewriting, line: Line, op: Apply) -> bool:
    """Whether a step is the next of a line: of one statement of the user's."""
    last = line.steps[-1]
    follows = op.operands[0] is last.result and work.is_single(last.result)
    return follows and op.origin == last.origin


def fits(budget: Budget, line: Line, size: Size) -> bool:
    """Whether one more term fits in a line."""
    found = joined(line.size, size)
    room = budget.initial(line.steps[0]).width - length(line.steps[0].operands[1])
    return room + found.width <= WIDTH and found.depth < DEPTH


def close(work: Rewriting, line: Line | None) -> None:
    """The terms of a line, added up, are added to the sum."""
    if line is None or len(line.steps) < 2:
        return
    first, last = line.steps[0], line.steps[-1]
    block, minus = last.block, is_call(first, operator.sub)
    outer, block.operations = block.operations, []
    builder = Builder(block, work.references, last.origin, reverse=True)
    builder.source = last.source
    whole = first.operands[1]
    for op in line.steps[1:]:
        same = is_call(op, operator.sub) == minus
        whole = builder.binary(gast.Add() if same else gast.Sub(), whole, op.operands[1])
    added, block.operations = block.operations, outer
    at = outer.index(last)
    outer[at:at] = added
    work.binary(last, gast.Sub() if minus else gast.Add(), first.operands[0], whole)
    for op in line.steps[:-1]:
        outer.remove(op)


def once(function: Function, references: References, block: Block) -> None:
    """What is added to one place twice is added up first."""
    waiting: list[Accumulate] = []
    for op in list(block.operations):
        if isinstance(op, Accumulate) and op.reverse and not op.scattered:
            other = next((w for w in waiting if is_alike(w, op)), None)
            if other is not None:
                together(references, other, op)
                waiting.remove(other)
        waiting = [w for w in waiting if not (op.block is w.block and touches(op, w.base))]
        if isinstance(op, Accumulate) and op.reverse and not op.scattered and op.value.is_number:
            waiting = [*waiting[-_WAITING:], op]


def is_alike(one: Accumulate, other: Accumulate) -> bool:
    """Whether two numbers are added to one element, for one statement."""
    return (
        one.base is other.base
        and one.window is not None
        and place_of(one) == place_of(other)
        and one.origin == other.origin
        and other.value.is_number
        and not (one.value.is_constant or other.value.is_constant)
    )


def together(references: References, first: Accumulate, last: Accumulate) -> None:
    """The second of two is their sum."""
    block = last.block
    outer, block.operations = block.operations, []
    builder = Builder(block, references, last.origin, reverse=True)
    builder.source = last.source
    same = first.sign == last.sign
    value: Value = builder.binary(gast.Add() if same else gast.Sub(), first.value, last.value)
    added, block.operations = block.operations, outer
    at = outer.index(last)
    outer[at:at] = added
    last.operands[1], last.sign = value, first.sign
    outer.remove(first)


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


def products(function: Function, references: References) -> None:
    """One constant in each product, and none where it is one.

    before: `2 * (1.0 / n) * d`, `y_bar * 0.5 * (2 * x)`, `1.0 * x_bar * w`
    after: `2.0 / n * d`, `y_bar * x`, `x_bar * w`
    """
    work = Rewriting(function, references)
    swapped: dict[Value, Value] = {}
    for op in work.operations():
        if isinstance(op, Apply) and is_product(op) and not is_inside(work, op):
            one_constant(work, op, swapped)
    rename(function, swapped)


def is_product(op: object) -> bool:
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
        elif work.is_single(value) and isinstance(value.op, Apply) and is_product(value.op):
            yield from factors(work, value.op, under)


def one_constant(work: Rewriting, op: Apply, swapped: dict[Value, Value]) -> None:
    """All constants of a product in one of the places where they stand."""
    found = list(factors(work, op))
    if not found or len(found) == 1 and found[0].number_of != 1:
        return
    whole = multiplied(found)
    if whole is None:
        return
    tops = [each for each in found if is_top(each)]
    kept = tops[0] if tops else next((f for f in found if not f.below), None)
    if whole == 1:
        kept = tops[0] if tops else None
    elif kept is None:
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
        for user in work.used_by(value)
    )


def is_integer(value: Value) -> bool:
    """Whether a value is or may be of whole numbers, which a float makes float."""
    return getattr(value.kind, "dtype", None) != "float64"
