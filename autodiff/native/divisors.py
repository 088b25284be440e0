"""What a number is at least, in Numba's intermediate representation.

Python raises where a divisor is 0, so compiled code compares each of them, and LLVM can neither
vectorise nor reorder what may raise. Most divisors of scientific code are a positive number and
something that is not negative: `1.0 + math.exp(-x)`, `dx * dx + dy * dy + 0.01`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numba.core import ir, types

from autodiff.rules.home import hashable

_DEEPEST = 12
"""Operations below one another that are looked at."""

_ADDING = (operator.add, operator.iadd)
_MULTIPLYING = (operator.mul, operator.imul)
_DIVIDING = (operator.truediv, operator.itruediv)
_RAISING = (operator.pow, operator.ipow)

_NOT_NEGATIVE: tuple[Any, ...] = (math.exp, np.exp, abs, math.fabs, np.absolute)
_LEAST: dict[Any, float] = dict.fromkeys(_NOT_NEGATIVE, 0.0) | {math.cosh: 1.0, np.cosh: 1.0}
"""What functions of one float return at least, if not NaN."""


def least(value: Any, code: Any, kinds: Mapping[str, Any], depth: int = 0) -> float:
    """A bound from below of a number in the variable `value`, unless it is NaN; else -inf.

    Rounding is monotonic, so that sums and products of bounds are bounds of sums and products.
    """
    node = _definition(value, code)
    if node is None:
        return -math.inf
    if isinstance(node, (ir.Const, ir.Global, ir.FreeVar)):
        is_number = type(node.value) is float or type(node.value) is int and abs(node.value) < 2**53
        return float(node.value) if is_number else -math.inf
    own = code.get_definition(value, lhs_only=True)  # which `value` is a copy of
    is_float = isinstance(node, ir.Expr) and kinds.get(own.name) == types.float64
    if not is_float or depth == _DEEPEST:  # products of whole numbers may wrap
        return -math.inf

    def below(part: Any) -> float:
        return least(part, code, kinds, depth + 1)

    if node.op == "call":
        return _called(node, kinds, below)
    if node.op in ("binop", "inplace_binop"):
        return _operated(node, code, below)
    return -math.inf


def _definition(value: Any, code: Any) -> Any:
    """What a variable that is assigned once is assigned; None for others."""
    try:
        return code.get_definition(value)
    except KeyError:
        return None


def _called(call: Any, kinds: Mapping[str, Any], below: Callable[[Any], float]) -> float:
    function = getattr(kinds.get(call.func.name), "typing_key", None)
    if len(call.args) != 1 or call.kws or not hashable(function):
        return -math.inf
    if function in (math.sqrt, np.sqrt):
        return math.sqrt(max(below(call.args[0]), 0.0))
    return _LEAST.get(function, -math.inf)


def _operated(node: Any, code: Any, below: Callable[[Any], float]) -> float:
    if node.fn in _ADDING:
        return below(node.lhs) + below(node.rhs)
    if node.fn in _MULTIPLYING and _read(node.lhs, code) == _read(node.rhs, code):
        return 0.0
    if node.fn in (*_MULTIPLYING, *_DIVIDING):
        left, right = below(node.lhs), below(node.rhs)
        if left < 0.0 or right < 0.0:
            return -math.inf
        return left * right if node.fn in _MULTIPLYING else 0.0
    if node.fn in _RAISING and below(node.rhs) % 2 == 0 and _is_number(node.rhs, code):
        return 0.0
    return -math.inf


def _read(value: Any, code: Any) -> str:
    """The name that an operand was read from just before.

    A copy that the program makes may be of another iteration.
    """
    found: Any = code._definitions[value.name] if value.is_temp else ()
    is_copy = len(found) == 1 and isinstance(found[0], ir.Var)
    return str(found[0].name if is_copy else value.name)


def _is_number(value: Any, code: Any) -> bool:
    """Whether a variable holds a whole number that is written out."""
    node = _definition(value, code)
    return isinstance(node, ir.Const) and type(node.value) is int
