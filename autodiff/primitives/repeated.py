"""Whether an index may name a place of an array several times.

y[[0, 0, 1]] = v        the last value stays       y[x > 0.0] += v        each place once
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autodiff.analysis import kind as kinds
from autodiff.core.operation import Apply
from autodiff.core.region import Window
from autodiff.core.value import Value
from autodiff.primitives.table import DISPLAY

_ONCE = frozenset(
    (np.argsort, np.argpartition, np.nonzero, np.flatnonzero, np.diag_indices)
    + (np.diag_indices_from, np.tril_indices, np.tril_indices_from, np.triu_indices)
    + (np.triu_indices_from,)
)
"""Functions that give each place once, in one array of one axis or in a tuple of arrays."""


def may_repeat(index: Sequence[Value], window: Window | None) -> bool:
    """Whether the operands of a window may name a place several times."""
    several = [
        value
        for value in index
        if is_array(value.kind) or window is not None and window.several and is_list(value.kind)
    ]
    return bool(several) and not (len(several) == 1 and is_once(several[0]))


def is_array(kind: kinds.Kind) -> bool:
    """Whether an operand of a window holds several places, as numbers; a mask does not, and a tuple
    is an index for several axes.
    """
    if isinstance(kind, kinds.Array):
        return kind.dtype != "bool" and kind.shape != ()
    if isinstance(kind, kinds.Record) and issubclass(kind.cls, tuple):
        return any(is_array(item) or is_list(item) for item in kind.items)
    return is_list(kind)


def is_list(kind: kinds.Kind) -> bool:
    """Whether it holds several places for one axis: in an index of several, a tuple does, too."""
    return isinstance(kind, (kinds.Record, kinds.Sequence))


def copies(index: Sequence[Value]) -> bool:
    """Whether what these operands take out of an array is a copy for sure."""
    return any(isinstance(v.kind, kinds.Array) or is_array(v.kind) for v in index)


def is_once(value: Value) -> bool:
    """Whether an index is known to name each place once, and nobody changes it."""
    op = value.op
    if not isinstance(op, Apply) or value.is_written:
        return False
    if op.primitive is DISPLAY:
        numbers = [item.constant for item in op.operands]
        if not all(type(number) is int for number in numbers):
            return False
        return len(set(numbers)) == len(numbers) and len({number < 0 for number in numbers}) == 1
    shape = value.kind.shape if isinstance(value.kind, kinds.Array) else (None,)
    return op.primitive.function in _ONCE and len(shape) == 1
