"""Refuses memory that compiled code would see otherwise, and say nothing."""

from __future__ import annotations

import numpy as np

from autodiff.core import Apply, Block, LoadOuter, Operation
from autodiff.errors import NativeError
from autodiff.native.vocabulary import SHARING

_VIEWS = (*SHARING, np.transpose, np.asarray)
"""What looks at the memory of an argument in compiled code, too."""


def check(body: Block) -> None:
    """Whether arrays that change are those that change in Python."""
    for op in body.walk():
        if isinstance(op, LoadOuter) and op.result.is_written:
            region = op.result.home
            changing = (own.origin for own in body.walk() if own.origin and own.writes(region))
            raise NativeError(
                f"the array `{op.path}`, which changes, cannot be compiled natively",
                op.origin or next(changing, None),
                why="it comes from outside of the function: compiled code takes it for a constant",
                cure="pass it as an argument, or change a copy of it",
            )
        if isinstance(op, Apply) and is_copied(op):
            raise NativeError(
                f"a change of what {op.primitive.name} gives cannot be compiled natively",
                op.origin,
                why="it may be memory of its argument, and is a copy in compiled code",
                cure="change a copy, or the argument itself",
            )


def is_copied(op: Operation) -> bool:
    """Whether it gives memory of an operand that changes, and is new memory when compiled."""
    if not isinstance(op, Apply) or op.primitive.memory == "new" or len(op.results) != 1:
        return False
    region, function = op.result.region, op.primitive.function
    if region is None or not region.written or function is None:
        return False
    same = any(value.region is region for value in op.operands)
    return same and not any(function is own for own in _VIEWS)
