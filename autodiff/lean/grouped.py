"""Factors that cost less to multiply are multiplied first: numbers before arrays, what a loop does
not change before what it does, Python's numbers before NumPy's.

before: `x_bar / 2 * damping`, `product * np.exp(x) * 2`, `2.0 * np.sin(x) * x`
after: `x_bar * (damping / 2)`, `product * 2 * np.exp(x)`, `2.0 * x * np.sin(x)`

What is computed again stays as it was, to the last bit: a test may ask for it.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass

import gast
import numpy as np

from autodiff.core import Apply, LoadOuter, Operation, Region, Value, around_value, constant, depth
from autodiff.kinds.kind import Array, Scalar
from autodiff.lean.constant_factors import is_inside, is_product
from autodiff.lean.rewriting import Rewriting, is_call
from autodiff.primitives import Builder
from autodiff.reversal.moved import is_plain

_NUMPY = Scalar("float", "float64")


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A factor, or what is divided by; a factor that occurs twice is two. level: what a product
    with it costs.
    """

    value: Value
    below: bool

    @property
    def level(self) -> tuple[bool, int, bool]:
        """Whether it is an array, in how many loops it is found, whether it is one of NumPy's."""
        if self.value.is_constant:
            return False, -1, False
        block = next(around_value(self.value))
        array = isinstance(self.value.kind, Array)
        return array, depth(block), self.value.kind == _NUMPY

    @property
    def is_free(self) -> bool:
        """Whether it may stand beside other factors than it does. A product of NumPy's integers may
        overflow; a quotient of Python's numbers may be an error where that with an array is none.
        """
        value = self.value
        if value.is_constant:
            return type(value.constant) in (int, float) and value.constant != 0
        if not isinstance(value.kind, Scalar) or value.kind.type not in ("float", "int"):
            return False
        return value.kind == _NUMPY or value.kind.dtype is None and not self.below


def grouped(work: Rewriting) -> None:
    """As above."""
    for op in list(work.operations()):
        if is_product(op) and op.again is None and not is_inside(work, op):
            inner = list(steps(work, op))
            if len(inner) > 1:
                group(work, inner)


def steps(work: Rewriting, op: Apply) -> Iterator[Apply]:
    """The operations of a product, those of its factors behind it."""
    yield op
    for value in op.operands:
        if work.is_single(value) and isinstance(value.op, Apply) and is_product(value.op):
            yield from steps(work, value.op)


def parts(op: Apply, inner: list[Apply], below: bool = False) -> Iterator[Part]:
    """The factors of a product, from left to right."""
    for number, value in enumerate(op.operands):
        under = below != (number == 1 and is_call(op, operator.truediv))
        if value.op in inner:
            assert isinstance(value.op, Apply)
            yield from parts(value.op, inner, under)
        else:
            yield Part(value, under)


def group(work: Rewriting, inner: list[Apply]) -> None:
    """Fewer operations of a product are about what costs most."""
    op = inner[0]
    found = list(parts(op, inner))
    highest = max(part.level for part in found)
    low = [part for part in found if part.level < highest and part.is_free]
    rest = [part for part in found if part not in low]
    if not low or len(inner) <= len(rest) or not all(map(is_real, (op.result, *values(found)))):
        return
    dear = [each for each in inner if any(p.level == highest for p in parts(each, inner))]
    if len(dear) <= len(rest) or changes(inner, {value.region for value in values(found)}):
        return
    block = op.block
    for each in inner[1:]:
        block.operations.remove(each)
        for value in each.operands:
            work.users[value].remove(each)
    outer, block.operations = block.operations, []
    builder = Builder(block, work.references, op.origin, reverse=True)
    builder.source = op.source
    own = product(builder, sorted(low, key=lambda part: part.level))
    order = [own if part is low[0] else part for part in found if part not in low[1:]]
    order.insert(0, order.pop(next((k for k, part in enumerate(order) if not part.below), 0)))
    *before, last = order
    left = product(builder, before)
    made, block.operations = block.operations, outer
    at = outer.index(op)
    outer[at:at] = made
    for step in made:
        for value in step.operands:
            work.users.setdefault(value, []).append(step)
    work.binary(op, sign(last), left.value, last.value)


def values(found: list[Part]) -> list[Value]:
    """What some factors are."""
    return [part.value for part in found]


def sign(part: Part) -> gast.operator:
    """How a factor is put beside others."""
    return gast.Div() if part.below else gast.Mult()


def product(builder: Builder, found: list[Part]) -> Part:
    """The product of some factors; of what is divided by, if there are no others."""
    tops = [part for part in found if not part.below]
    ordered = [*tops, *(part for part in found if part.below)]
    whole, below = ordered[0].value, not tops
    for part in ordered[1:]:
        whole = builder.binary(gast.Mult() if below else sign(part), whole, part.value)
    return Part(whole, below)


def is_real(value: Value) -> bool:
    """Whether a value is of doubles, or a number that is written."""
    kind = value.kind
    if isinstance(kind, Array):
        return kind.dtype == "float64"
    return value.is_constant or isinstance(kind, Scalar) and kind.type in ("float", "int")


def changes(inner: list[Apply], regions: set[Region | None]) -> bool:
    """Whether something is written between the steps of a product."""
    op = inner[0]
    operations = op.block.operations
    between = operations[min(map(operations.index, inner)) : operations.index(op)]
    written = [e.region for each in between for e in each.effects() if e.what == "write"]
    return any(region.find() in regions for region in written)


_LAST = "...i,...i->..."


def contracted(work: Rewriting) -> None:
    """A sum of products over a small last axis, along which `np.sum` takes long, needs no array for
    the products. It rounds otherwise: so not in front of a value that is returned, nor where a
    test may ask for it, or others see it.

    before: `np.sum(w**2, axis=2)`
    after: `np.einsum("...i,...i->...", w, w)`
    """
    function = work.function
    operations = list(function.body.walk())
    forward = [op for op in operations if not op.reverse]
    seen = any(is_test(op) or not is_plain(op) and type(op) is not LoadOuter for op in forward)
    exact = seen or function.result is not None or function.seeds is not None
    for op in operations:
        axis, inner = axis_of(op), op.operands[0].op if op.operands else None
        if axis is None or not isinstance(inner, Apply) or not isinstance(op, Apply):
            continue
        if len(work.used_by(inner.result)) != 1 or inner.block is not op.block:
            continue
        if changes([op, inner], {value.region for value in inner.operands}):
            continue
        rank = len(getattr(inner.result.kind, "shape", ()))
        if not exact and axis % rank == rank - 1 > 0:
            if is_call(inner, operator.pow) and inner.operands[1].constant == 2:
                last(work, op, inner.operands[0], inner.operands[0])
            elif is_call(inner, operator.mul):
                last(work, op, *inner.operands)


def is_test(op: Operation) -> bool:
    """Whether an operation asks for truths: `np.where(squares < 1.0, ...)`."""
    kinds = [value.kind for value in op.results]
    return any("bool" in (getattr(k, "type", ""), getattr(k, "dtype", "")) for k in kinds)


def axis_of(op: object) -> int | None:
    """The one axis along which an operation sums an array, without anything else being asked."""
    if not is_call(op, np.sum, np.ndarray.sum) or not op.operands:
        return None
    if not isinstance(op.operands[0].kind, Array):
        return None
    given = op.application.keywords
    if len(op.application.arguments) != 1 or [word for word, _ in given] != ["axis"]:
        return None
    found = getattr(given[0][1], "value", None)
    rank = len(op.operands[0].kind.shape)
    return found if type(found) is int and -rank <= found < rank else None


def last(work: Rewriting, op: Apply, left: Value, right: Value) -> None:
    """A sum over the last axis; of doubles, as `np.sum` is more careful with few digits."""
    one, two = left.kind, right.kind
    if isinstance(one, Array) and one == two and one.dtype == "float64" and None not in one.shape:
        own = constant(_LAST)
        work.become(op, lambda builder: builder.call("np.einsum", np.einsum, own, left, right))
