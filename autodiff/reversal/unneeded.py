"""Adjoints that nobody needs on some path, of Python's numbers, whose quotients by zero are errors.

    k = x[0] if c else 1.0          r = math.sqrt(1 - k**2)
    q = math.acos(k)                k_bar = -q_bar / r if r else r * np.nan
                                    if c: x_bar[0] += k_bar

Where `c` is false the function raises nothing, and its slope at 1.0 is multiplied by nothing. Where
it is needed it is no number, and neither is what is computed from it, as that of NumPy's numbers.
"""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import gast
import numpy as np

from autodiff.core import (
    Append,
    Apply,
    Function,
    Load,
    Loop,
    Operation,
    Region,
    Store,
    Take,
    Value,
    View,
    ends,
)
from autodiff.core.operation import If
from autodiff.dataflow.activity import Activity
from autodiff.kinds.kind import Scalar, Sequence
from autodiff.primitives import DISPLAY, LISTING, SYNTAX, Application, Builder, hole
from autodiff.reversal import choices
from autodiff.reversal.reopened import BELOW, is_whole
from autodiff.rules.home import module_of
from autodiff.syntax.names import name
from autodiff.syntax.walk import children

_DEEPEST = 8
"""So many operations are looked through."""


class Unneeded:
    """Which values depend on no input on some path that computes them."""

    def __init__(self, function: Function, active: Activity) -> None:
        self.function, self.active = function, active
        self.forward = list(function.body.walk())
        self.known: dict[Value, bool] = {}
        self.partly: set[Region] | None = None

    def guard(self, builder: Builder, value: Value, made: Value, since: int) -> None:
        """What is made for the adjoint of such a value raises no error. since: where the operations
        begin that made it. A quotient divides by what the function has divided by.
        """
        source = builder.source
        if isinstance(source, Apply) and source.primitive.function is operator.truediv:
            return
        own = [op for op in builder.block.operations[since:] if isinstance(op, Apply)]
        raising = [op for op in reached(made, own) if may_raise(op)]
        if raising and not self.is_sure(value):
            for op in raising:
                guarded(op, builder)

    def is_sure(self, value: Value) -> bool:
        """Whether a value depends on an input wherever it is computed."""
        if self.partly is None:
            self.partly = set()
            self.find_parts()
        return self.depends(value)

    def find_parts(self) -> None:
        """The memory of which some part depends on no input."""
        assert self.partly is not None
        for op in self.forward:
            if isinstance(op, (Store, Append)) and op.value not in self.active:
                self.partly |= region_of(op.base)
        more = True
        while more:
            self.known = {}
            found = [
                region
                for op in self.forward
                if isinstance(op, (Store, Append)) and not self.depends(op.value)
                for region in region_of(op.base)
            ]
            more = not self.partly.issuperset(found)
            self.partly.update(found)
        self.known = {}

    def depends(self, value: Value) -> bool:
        """`is_sure`, as far as is known of memory; of what a loop carries until it is refuted."""
        if value not in self.known:
            self.known[value] = True
            self.known[value] = value in self.active and self.found(value)
        return self.known[value]

    def found(self, value: Value) -> bool:
        """What a value is made of depends on an input."""
        assert self.partly is not None
        op = value.op
        if region_of(value) & self.partly:
            return False
        if isinstance(value.maker, (If, Loop)):
            return all(map(self.depends, ends(value)))
        if op is None:
            return not self.function.called
        if isinstance(op, (Load, View, Take)):
            return not region_of(op.operands[0]) & self.partly and self.depends(op.operands[0])
        if not isinstance(op, Apply):
            return False
        if op.primitive in (DISPLAY, LISTING):
            return all(map(self.depends, op.operands))
        if op.primitive is SYNTAX or picks(op.primitive.function):
            return False
        given = [v for v in op.operands if not isinstance(v.kind, Sequence)]  # which may be empty
        return any(map(self.depends, given))


@lru_cache(maxsize=1024)
def picks(function: Any) -> bool:
    """Whether a function gives one of its operands as it is: the others have no part in it.

    >>> picks(min), picks(np.clip), picks(np.where), picks(np.hypot)
    (True, True, True, False)
    """
    for cases in (((2.0, 3.0), (3.0, 2.0)), ((1.0, 2.0, 3.0), (2.0, 3.0, 1.0))):
        with contextlib.suppress(Exception):
            return all(function(*given) in given for given in cases)
    return False


def region_of(value: Value) -> set[Region]:
    """The memory of a value."""
    return set() if value.region is None else {value.region}


def reached(made: Value, own: Iterable[Operation]) -> list[Apply]:
    """The operations that a value is made by, of some."""
    found: list[Apply] = []
    pending = [made]
    while pending:
        op = pending.pop().op
        if isinstance(op, Apply) and op in own and op not in found:
            found.append(op)
            pending += op.operands
    return found


def may_raise(op: Apply) -> bool:
    """Whether an operation is a quotient or a power of what may be Python's numbers."""
    plain = all(isinstance(v.kind, Scalar) and v.kind.dtype in (None, "?") for v in op.operands)
    of_numpy = any(is_of_numpy(v, _DEEPEST) for v in op.operands)
    return plain and not (of_numpy or op.guards) and choices.is_singular(op, {})


def is_of_numpy(value: Value, depth: int) -> bool:
    """Whether a number of a type that is not known is surely one of NumPy's."""
    op = value.op
    if not isinstance(op, Apply) or not isinstance(value.kind, Scalar) or depth == 0:
        return isinstance(value.kind, Scalar) and value.kind.dtype not in (None, "?")
    arithmetic = module_of(op.primitive.function) == "_operator"
    given = op.operands if arithmetic else []
    made = module_of(op.primitive.function).split(".")[0] == "numpy"
    return made or any(is_of_numpy(each, depth - 1) for each in given)


def guarded(op: Apply, builder: Builder) -> None:
    """Makes of a quotient, or a power, one that is no number where it would be an error."""
    below, number = choices.divisor(op), len(op.operands)
    test: gast.expr = hole(number)
    if op.primitive.function in choices.POWERS and not op.operands[-1].is_constant:
        test = of_power(test, hole(number - 1))
    op.operands.append(below)
    numpy = name(builder.references.use("np", np))
    nan = gast.BinOp(hole(number), gast.Mult(), gast.Attribute(numpy, "nan", gast.Load()))
    op.form = gast.IfExp(test, op.form, nan)
    op.primitive, op.application = SYNTAX, Application((op.form,))
    op.raises, op.guards = False, True


def of_power(base: gast.expr, exponent: gast.expr) -> gast.expr:
    """The test that a power is no error."""
    least = gast.Compare(exponent, [gast.GtE()], [gast.Constant(0, None)])
    return gast.BoolOp(gast.Or(), [base, least])


def tested(node: gast.AST, apart: Callable[[gast.AST], bool]) -> list[gast.expr]:
    """The tests that an expression is no error. apart: whether a part of it is never one."""
    found = [test for child in children(node) for test in tested(child, apart)]
    side = BELOW.get(type(getattr(node, "op", None)))
    if side is None or apart(node) or is_whole(node):
        return found
    below = getattr(node, side)
    return [*found, below if side == "right" else of_power(below, node.right)]
