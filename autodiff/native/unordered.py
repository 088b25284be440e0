"""Loops of the reverse sweep whose iterations may run in any order run upwards."""

from __future__ import annotations

import operator
from collections import Counter

import gast
import numpy as np

from autodiff.core import (
    Access,
    Accumulate,
    Apply,
    For,
    Function,
    If,
    Load,
    Operation,
    Pop,
    Region,
    Store,
    Value,
)
from autodiff.dataflow.apart import axes, is_inside
from autodiff.dataflow.integers import affine, argument, least, place_of
from autodiff.native.vocabulary import CHEAP, ELEMENTWISE, MATH
from autodiff.primitives.table import ITEM, SYNTAX
from autodiff.syntax.walk import of_class

_PURE = (*CHEAP, *ELEMENTWISE, *MATH, len, np.shape)
_SUMS = (operator.add, operator.iadd)
_DIFFERENCES = (operator.sub, operator.isub)


def turn_unordered(function: Function) -> None:
    """LLVM makes better code of these, above all where they need not count what they pop.

        for i in reversed(range(1, n)):        count -= len(range(1, n))
            kept = tape.pop()                  for i in range(1, n):
            u[i] = kept                            kept = tape[count + (i - 1)]
            w_bar[i] += 2.0 * u_bar[i]             u[i] = kept
                                                   w_bar[i] += 2.0 * u_bar[i]

    Each iteration stores to elements that no other one reads or stores to, or adds to elements that
    none reads. So only the order of sums differs; the forward sweep keeps the primal's.
    """
    for op in function.body.walk():
        if isinstance(op, For) and op.reverse and op.backwards and _Loop(op).is_free():
            op.backwards, op.unordered = False, True


def first_of(loop: For) -> int | None:
    """Where a range with steps of 1 begins, if that is a number that is not negative."""
    made = loop.over.op
    if not isinstance(made, Apply) or made.primitive.function is not range:
        return None
    ends = made.application.arguments
    start = argument(made, ends[0]) if len(ends) == 2 else None
    if len(ends) == 1:
        return 0
    known = start is not None and type(start.constant) is int and start.constant >= 0
    return start.constant if known and start is not None else None


class _Loop:
    def __init__(self, loop: For) -> None:
        self.loop = loop
        self.inside = [*loop.body.walk()]
        self.uses = Counter(v for op in self.inside for v in op.operands)
        blocks = [loop.body, *(block for op in self.inside for block in op.blocks)]
        self.uses.update(v for block in blocks for v in block.results)

    def is_free(self) -> bool:
        """Whether no iteration reads what another one stores or carries."""
        if first_of(self.loop) is None or not all(map(self.is_plain, self.inside)):
            return False
        for _, carried, following, _ in self.loop.groups:
            found: Counter[Value] = Counter()
            if not carried.is_number or not self.is_sum(following, carried, found):
                return False
            if any(self.uses[value] != found[value] for value in found):
                return False
        return all(map(self.is_own, self.accesses().values()))

    def is_plain(self, op: Operation) -> bool:
        """Whether it computes a number, takes one from a tape or memory, or stores it there."""
        if isinstance(op, If):
            return all(value.is_number for value in op.results)
        if isinstance(op, Pop):
            return op.block is self.loop.body and all(v.is_number for v in op.results)
        if isinstance(op, (Load, Store)):
            number = op.result if isinstance(op, Load) else op.value
            scattered = isinstance(op, Accumulate) and op.scattered
            fixed = not is_inside(op.base, self.loop.body)
            return number.is_number and op.window is not None and fixed and not scattered
        if not isinstance(op, Apply) or op.changes or op.outside or op.reads:
            return False
        function = op.primitive.function
        calls_nothing = op.primitive is SYNTAX and not of_class(op.form, gast.Call)
        if calls_nothing or getattr(function, "__module__", "") == operator.add.__module__:
            return all(value.is_number for value in (*op.operands, *op.results))
        return op.primitive is ITEM or any(function is other for other in _PURE)

    def is_sum(self, value: Value, carried: Value, found: Counter[Value]) -> bool:
        """Whether a value is what is carried and what is added to it; `found`: on the way."""
        found[value] += 1
        if value is carried:
            return True
        op = value.op
        if op is None or not is_inside(value, self.loop.body):
            return False
        if isinstance(op, If):
            k = op.results.index(value)
            return all(self.is_sum(block.results[k], carried, found) for block in op.blocks)
        function = op.primitive.function if isinstance(op, Apply) else None
        adds = any(function is each for each in _SUMS)
        if not adds and not any(function is each for each in _DIFFERENCES):
            return False
        for side in op.operands if adds else op.operands[:1]:
            more = Counter(found)
            if self.is_sum(side, carried, more):
                found.update(more - found)
                return True
        return False

    def accesses(self) -> dict[Region | None, list[Access]]:
        """The accesses of each memory; two arguments may be one array."""
        found: dict[Region | None, list[Access]] = {}
        for op in self.inside:
            if isinstance(op, Access):
                region = op.base.home.find()
                found.setdefault(None if region.given else region, []).append(op)
        return found

    def is_own(self, found: list[Access]) -> bool:
        """Whether a memory is only read, added to alone, or each iteration has an element of it:
        the loop's variable, plus what makes it no negative number; beside it what is fixed."""
        if not any(isinstance(op, Store) for op in found):
            return True
        if all(isinstance(op, Accumulate) for op in found):
            return True
        first = found[0]
        if any(op.base is not first.base or place_of(op) != place_of(first) for op in found):
            return False
        index = axes(first)
        assert first.window is not None
        if len(index) != len(first.window.parts):
            return False
        own = 0
        for part in index:
            if not isinstance(part, Value):
                continue
            variable, offset = affine(part)
            if variable is self.loop.variable:
                lowest = least(variable)
                own += lowest is not None and lowest + offset >= 0
            elif is_inside(part, self.loop.body):
                return False
        return own == 1
