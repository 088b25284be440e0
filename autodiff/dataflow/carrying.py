"""Which values can carry a derivative."""

from __future__ import annotations

import operator

import numpy as np

from autodiff.core import Apply, Operation
from autodiff.kinds.kind import Kind, Scalar, Static, Text, differentiable, parts_of


def is_read(op: Operation) -> bool:
    """Whether a number is made of text: `float(f"{x}")`."""
    if not isinstance(op, Apply) or op.primitive.function is None:
        return False
    return carries(op.result.kind) and any(has_text(v.kind) for v in op.operands)


def is_zero(op: Operation) -> bool:
    """Whether a number is multiplied by a zero that is written down: `x[i] * 0.0` is the same
    whatever `x` is, while a slope that is infinite there, times zero, is no number.
    """
    product = isinstance(op, Apply) and op.primitive.function in (operator.mul, np.multiply)
    return product and any(
        isinstance(value.constant, (int, float)) and value.constant == 0 for value in op.operands
    )


def has_text(kind: Kind) -> bool:
    """Whether a value is text, or holds some."""
    return isinstance(kind, Text) or any(map(has_text, parts_of(kind)))


def carries(kind: Kind) -> bool:
    """Whether a value of a kind can carry a derivative."""
    return (
        not isinstance(kind, (Static, Text))
        and differentiable(kind)
        and not (isinstance(kind, Scalar) and kind.type in ("int", "bool"))
    )
