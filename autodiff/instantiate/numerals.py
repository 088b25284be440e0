"""Arithmetic on the numbers written in a tree. A negative number is a minus before a constant."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import gast

from autodiff.syntax.make import make

_ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    gast.Add: operator.add,
    gast.Sub: operator.sub,
    gast.Mult: operator.mul,
    gast.Div: operator.truediv,
    gast.FloorDiv: operator.floordiv,
    gast.Mod: operator.mod,
    gast.Pow: operator.pow,
}
_COMPARISONS: dict[type, Callable[[Any, Any], Any]] = {
    gast.Eq: operator.eq,
    gast.NotEq: operator.ne,
    gast.Lt: operator.lt,
    gast.LtE: operator.le,
    gast.Gt: operator.gt,
    gast.GtE: operator.ge,
}
SPELLED = frozenset((gast.Constant, gast.UnaryOp))
"""The classes of expressions that may spell a `number`."""
_EQUALITY = (gast.Eq, gast.NotEq)
_IDENTITY = (gast.Is, gast.IsNot)
_LARGEST_POWER = 64
"""Digits of a constant that a reader takes in."""


def number(expression: gast.expr) -> int | float | None:
    """The int or float that the expression spells, else None; a bool is no number here."""
    cls = expression.__class__
    if cls is gast.Constant:
        value: Any = expression.value
        return value if type(value) in (int, float) else None
    if cls is gast.UnaryOp and negative(expression):
        value = number(expression.operand)
        return None if value is None else -value
    return None


def negative(expression: gast.expr) -> bool:
    """Whether the expression is a minus before a constant."""
    return (
        isinstance(expression, gast.UnaryOp)
        and isinstance(expression.op, gast.USub)
        and isinstance(expression.operand, gast.Constant)
    )


def literal(value: int | float) -> gast.expr:
    """The number as an expression."""
    constant = make(gast.Constant, value=abs(value), kind=None)
    if math.copysign(1, value) < 0:
        return make(gast.UnaryOp, op=gast.USub(), operand=constant)
    return constant


def arithmetic(op: type, left: int | float, right: int | float) -> gast.expr | None:
    """The result of an operation on two numbers, as an expression.

    None where there is no result to write down (an error, infinity, a complex number) and where
    it is longer to write than its operands: `1 / 3` says more than 0.3333333333333333.
    """
    function = _ARITHMETIC.get(op)
    if function is None or (op is gast.Pow and max(abs(left), abs(right)) > _LARGEST_POWER):
        return None
    try:
        value = function(left, right)
    except (ArithmeticError, ValueError):
        return None
    if type(value) not in (int, float) or not math.isfinite(value):
        return None
    if len(repr(value)) > len(repr(left)) + len(repr(right)) + 1:
        return None
    return literal(value)


def comparison(op: type, left: gast.expr, right: gast.expr) -> gast.expr | None:
    """The result of comparing two constants, as an expression."""
    if op in _IDENTITY:
        sides = [side for side in (left, right) if isinstance(side, gast.Constant)]
        if len(sides) < 2 or not any(is_single(side.value) for side in sides):
            return None
        equal = sides[0].value is sides[1].value
        return make(gast.Constant, value=equal is (op is gast.Is), kind=None)
    if op in _EQUALITY and isinstance(left, gast.Constant) and isinstance(right, gast.Constant):
        return make(gast.Constant, value=_COMPARISONS[op](left.value, right.value), kind=None)
    function = _COMPARISONS.get(op)
    a, b = _comparable(left), _comparable(right)
    if function is None or a is None or b is None or isinstance(a, str) is not isinstance(b, str):
        return None
    return make(gast.Constant, value=bool(function(a, b)), kind=None)


def is_single(value: object) -> bool:
    """Whether a value is one of those of which there is one object only."""
    return value is None or value is True or value is False


def _comparable(expression: gast.expr) -> Any:
    if isinstance(expression, gast.Constant) and isinstance(expression.value, str):
        return expression.value
    return number(expression)
