"""A tangent that is zero in places stays so, whatever the slope there is.

    x[x > 1.0] = 1.0                x_dot[x > 1.0] = 0.0
    y = np.arccos(x)                y_dot = np.where(x_dot, -x_dot / np.sqrt(1 - x**2), 0.0)

What is stored in parts leaves others as they were, and the slope of those may be infinite. That of
Python's numbers is an error, so it is asked for where a number may depend on no input, too:

    k = x[0] if c else 1.0          q_dot = -k_dot / math.sqrt(1 - k**2) if k_dot else 0.0

Of several operands each has a term of its own, which is zero where its tangent is.
"""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Callable
from functools import lru_cache, partial, reduce
from typing import Any

import gast
import numpy as np

from autodiff.core import Apply, Function, If, Operation, Region, Store, Value, ends
from autodiff.dataflow.activity import Activity
from autodiff.kinds.kind import Array, Scalar
from autodiff.primitives import DISPLAY
from autodiff.reversal import choices
from autodiff.reversal.gates import Gates, gate, is_chosen, reaches, sources
from autodiff.reversal.unneeded import Unneeded, guarded, may_raise
from autodiff.runtime import zeros_like
from autodiff.tangent.rules import Use


class Vanishing(Gates):
    """Which tangents may be zero in places by how they came about. stored: the memory of which the
    program stores parts.
    """

    def __init__(self, function: Function, active: Activity) -> None:
        super().__init__(function.strict)
        self.unneeded = Unneeded(function, active)
        self.stored: set[Region | None] = {
            op.base.region
            for op in function.body.walk()
            if isinstance(op, Store) and op.base.is_array and op.base in active
        }

    def begin(self, value: Value, dot: Value) -> None:
        """A value has a tangent that is memory."""
        if isinstance(value.kind, Array) and value.region in self.stored:
            self.close(dot, dot.block)

    def is_partial(self, g: Value) -> bool:
        """Whether a tangent may be zero in places: stored, or of one path."""
        return reaches(g, self.begins, self.partial, made_of)

    def leaves(self, g: Value) -> bool:
        """Whether a path or a mask leaves a tangent zero, or an array is made with zeros in it."""
        one_path = isinstance(g.op, If) and any(is_zero(end) for end in ends(g))
        return one_path or is_chosen(g) or isinstance(g.kind, Array) and joins_zeros(g.op)

    def of(self, use: Use, written: Callable[[Use], Value | None]) -> Value | None:
        """The tangent of an operation, each term of it zero where the tangent of its operand is.
        written: gives what its rule says.
        """
        operations = use.builder.block.operations
        since = len(operations)
        made = written(use)
        own = operations[since:]
        singular = [op for op in own if choices.is_singular(op, self.bounds)]
        if made is None or not singular or choices.has_run(use.op, self.strict):
            return made
        raises = any(map(may_raise, singular))
        left = [v for v, dot in use.dots.items() if self.is_left(v, dot, singular, raises)]
        if not left:
            return made
        if len(use.dots) == 1:
            dot = use.dots[left[0]]
            for op in () if isinstance(dot.kind, Scalar) else filter(may_raise, singular):
                guarded(op, use.builder)  # it is computed, and then left out
            return gate(use.builder, dot, made, own)
        del operations[since:]
        each = [use._replace(dots={value: dot}) for value, dot in use.dots.items()]
        terms = [term for one in each if (term := self.of(one, written)) is not None]
        return reduce(partial(use.builder.binary, gast.Add()), terms) if terms else None

    def is_left(self, value: Value, dot: Value, singular: list[Apply], raises: bool) -> bool:
        """Whether a tangent may be zero in places where an operation is infinite, or an error."""
        return self.is_open(dot, singular) or raises and not self.unneeded.is_sure(value)


def made_of(g: Value) -> list[Value]:
    """What a tangent has its zeros from. It is zero only where each term of it is: the first one is
    asked; and the sum of what is zero in places is not.
    """
    op = g.op
    if isinstance(op, If):
        return ends(g)
    if isinstance(op, Apply):
        if op.primitive.function in (operator.add, operator.sub):
            return sources(g)[:1]
        if op.primitive.elementwise or op.primitive.memory == "view" or op.primitive is DISPLAY:
            return sources(g)
        return [v for v in sources(g) if isinstance(g.kind, Array) and places(v, g.kind)]
    return sources(g)


def places(value: Value, whole: Array) -> bool:
    """Whether an array may hold what another one, or a list, holds, in its places."""
    if isinstance(value.kind, Array):
        return len(value.kind.shape) <= len(whole.shape)
    return isinstance(value.op, Apply) and value.op.primitive is DISPLAY


def joins_zeros(op: Operation | None) -> bool:
    """Whether something is made of zeros and others: `np.array([x_dot, 0.0])`, `np.pad(x_dot)`."""
    if not isinstance(op, Apply):
        return False
    if op.primitive is DISPLAY:
        return any(is_zero(value) or joins_zeros(value.op) for value in op.operands)
    if op.primitive.elementwise or op.primitive.memory != "new":
        return False
    shown = [v.op for v in op.operands if isinstance(v.op, Apply) and v.op.primitive is DISPLAY]
    made = [v for v in op.operands if isinstance(v.op, Apply) and is_blank(v.op)]
    return bool(made) or any(map(joins_zeros, shown)) or surrounds(op.primitive.function)


def is_blank(op: Apply) -> bool:
    """Whether an operation makes zeros."""
    return op.primitive.function in (np.zeros, np.zeros_like, zeros_like)


@lru_cache(maxsize=1024)
def surrounds(function: Any) -> bool:
    """Whether a function puts zeros beside what it is given.

    >>> surrounds(np.diag), surrounds(np.pad), surrounds(np.roll), surrounds(np.insert)
    (True, True, False, True)
    """
    for more in ((), (1,), (1, 0.0)):
        with contextlib.suppress(Exception):
            return bool(np.any(np.asarray(function(np.ones(2), *more)) == 0.0))
    return False


def is_zero(value: Value) -> bool:
    """Whether a tangent is zero as it is written."""
    return value.is_constant and value.constant == 0.0
