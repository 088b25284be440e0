"""Operations that are infinite for some operands, or not a number for zero and infinity."""

from __future__ import annotations

import operator
from typing import TypeGuard

import numpy as np

from autodiff.analysis.kind import Scalar
from autodiff.core.operation import Apply, Operation
from autodiff.core.value import Value
from autodiff.primitives.bounds import least

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
