"""Functions that give what they are given under another form, as a view where NumPy can.

Whether `m.reshape(-1)` is a view depends on how `m` lies in memory. The shadow of `m` lies as `m`
does, so the same call on it gives a view exactly where the call on `m` does; where it gives a copy,
the reverse sweep gives back what was added there. Where a call does something else for other values
(`np.real_if_close`), the shadow is found by where the result lies in `m`.
"""

from __future__ import annotations

import numpy as np

from autodiff.analysis.kind import Array
from autodiff.analysis.library import MAKING
from autodiff.core.operation import Apply
from autodiff.core.value import Value
from autodiff.rules.home import module_of

_FORMS = frozenset((np.reshape, np.ravel, np.ascontiguousarray, np.asfortranarray, np.require))
"""Those that copy what lies in memory as they cannot give it."""
_THEMSELVES = frozenset(
    (np.asarray, np.asanyarray, np.asarray_chkfinite, np.real, np.einsum, np.array)
    + (np.atleast_1d, np.atleast_2d, np.atleast_3d, np.ndarray.astype)
)
"""Those that give a view, or the array itself, unless a parameter says otherwise."""
READ_ONLY = frozenset(
    (np.broadcast_to, np.diagonal, np.diag, np.lib.stride_tricks.sliding_window_view)
)
"""Functions whose result nobody can write to, or is new: what is in it is read where it is made."""


_OVERLAPPING = frozenset((np.lib.stride_tricks.as_strided, np.linalg.matrix_power))
"""Functions that give elements several times, or of which the slopes depend on what they read."""


def lent(op: Apply) -> int | None:
    """The number of the one operand whose memory the result may be, each element once."""
    kind = op.result.kind
    if op.primitive.memory != "unknown" or not isinstance(kind, Array):
        return None
    if op.primitive.function is None or op.primitive.function in READ_ONLY | _OVERLAPPING:
        return None
    if module_of(op.primitive.function).startswith("scipy"):
        return None  # slopes that depend on what it reads
    arrays = [k for k, value in enumerate(op.operands) if isinstance(value.kind, Array)]
    if len(arrays) != 1:
        return None
    given = op.operands[arrays[0]].kind
    assert isinstance(given, Array)
    alike = given.dtype == kind.dtype or kind.dtype is None and not is_by_form(op)
    return arrays[0] if alike else None


def is_by_form(op: Apply) -> bool:
    """Whether the same operation on a shadow gives that of the result."""
    return op.primitive.function in _FORMS | _THEMSELVES


def may_copy(op: Apply, place: int) -> bool:
    """Whether what an operation lends may be a copy."""
    function, keywords = op.primitive.function, op.application.keywords
    if function in _THEMSELVES:
        return bool(keywords) or function in (np.array, np.einsum, np.ndarray.astype)
    made = op.operands[place].op
    if (
        keywords
        or not is_by_form(op)
        or not isinstance(made, Apply)
        or made.primitive.memory != "new"
    ):
        return True
    is_row = isinstance(made.result.kind, Array) and len(made.result.kind.shape) == 1
    filled = made.primitive.function in MAKING and not made.application.keywords
    return function not in (np.reshape, np.ravel) or not (
        filled or is_row and is_laid_out(made.result)
    )


def is_laid_out(value: Value) -> bool:
    """Whether zeros like an array lie in memory as it does: it has no gaps."""
    op = value.op
    if not isinstance(op, Apply) or op.primitive.memory != "new":
        return False
    return op.primitive.elementwise or op.primitive.function in MAKING | _DENSE


_DENSE = frozenset((np.copy, np.outer, np.array, np.ndarray.flatten, np.arange))
