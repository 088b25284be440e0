"""Operations that are infinite for some operands, or not a number for zero and infinity.

Roots of sums of squares: where one is zero, so is what it is the root of, and its slope there.

    r = np.sqrt(np.sum(x**2))         r_bar = 2 * r
    y = r**2                          s_bar = r_bar / (2 * r) if r_bar else 0.0

An adjoint that is computed from the root may vanish with it; zero by an infinite slope is no
number, while any number would do: the squares multiply it by zero. `np.linalg.norm` does the same.
"""

from __future__ import annotations

import math
import operator
from typing import TypeGuard

import numpy as np

from autodiff.analysis.kind import Scalar, is_real
from autodiff.core.operation import Apply, Load, Operation, View
from autodiff.core.value import Value
from autodiff.primitives.algebra import least

_QUOTIENTS = frozenset((operator.truediv, np.divide, np.reciprocal))
_PRODUCTS = frozenset((operator.mul, np.multiply))
_POWERS = frozenset((operator.pow, np.power, pow))


def is_singular(op: Operation, bounds: dict[Value, float]) -> TypeGuard[Apply]:
    """Whether an operation may be infinite: a division, a power that may be negative. bounds: what
    values are never below.
    """
    if not isinstance(op, Apply) or not op.operands:
        return False
    function, last = op.primitive.function, op.operands[-1]
    if function in _POWERS:
        known = last.constant if last.is_constant else None
        return not (isinstance(known, (int, float)) and known >= 0)
    known = last.is_constant and last.constant or least(last, bounds) > 0.0
    return function in _QUOTIENTS and not known


def divisor(op: Apply) -> Value:
    """What an operation is infinite for where that is zero: a power's base."""
    return op.operands[0 if op.primitive.function in _POWERS else -1]


def has_run(source: Operation | None) -> bool:
    """Whether an operation was a quotient of Python's numbers, which is an error for zero."""
    if not isinstance(source, Apply) or source.primitive.function is not operator.truediv:
        return False
    kinds = [value.kind for value in source.operands]
    return all(isinstance(kind, Scalar) and kind.dtype is None for kind in kinds)


def is_product(op: Operation, bounds: dict[Value, float]) -> bool:
    """Whether an operation multiplies by what is not known to be a number."""
    if not isinstance(op, Apply) or op.primitive.function not in _PRODUCTS | _QUOTIENTS:
        return is_singular(op, bounds)
    return not any(operand.is_constant for operand in op.operands)


_ROOTS = frozenset((np.sqrt, math.sqrt))
_INNER = frozenset((operator.matmul, np.matmul, np.dot, np.vdot, np.inner))
_SUMS = frozenset((np.sum, np.mean, np.nansum, sum))
_FURTHEST = 200
"""So many values are looked at."""


def vanishes(op: Apply, g: Value) -> bool:
    """Whether the adjoint of a root of squares may be zero where the root is."""
    if op.primitive.function not in _ROOTS or not is_of_squares(op.operands[0]):
        return False
    seen, todo = {g}, [g]
    while todo and len(seen) < _FURTHEST:
        value = todo.pop()
        if value is op.result:
            return True
        found = value.op.operands if value.op is not None else []
        todo += [each for each in found if each not in seen]
        seen.update(found)
    return False


def is_of_squares(value: Value) -> bool:
    """Whether a real value is never below zero, and zero only where it has no slope either."""
    op = value.op
    if not is_real(value.kind) or value.is_written:
        return False
    if isinstance(op, (Load, View)):
        return is_of_squares(op.base)
    if not isinstance(op, Apply) or not op.operands:
        return False
    function, first, last = op.primitive.function, op.operands[0], op.operands[-1]
    if function in _POWERS:
        return isinstance(last.constant, (int, float)) and last.constant in (2, 4, 6)
    if function is np.square or function is operator.mul and first is last:
        return True
    if function in _INNER:
        return first is last and isinstance(value.kind, Scalar)
    if function is operator.add:
        return is_of_squares(first) and is_of_squares(last)
    if function is operator.mul:
        return all(is_of_squares(each) or is_positive(each) for each in op.operands)
    if function is operator.truediv:
        return is_of_squares(first) and (is_of_squares(last) or is_positive(last))
    return (function in _SUMS or op.primitive.memory == "view") and is_of_squares(first)


def is_positive(value: Value) -> bool:
    """Whether a value is a positive constant."""
    return isinstance(value.constant, (int, float)) and value.constant > 0
