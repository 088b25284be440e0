"""What generated code asks about memory that several arrays may share, and makes like it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import overload, register_jitable

from autodiff import runtime
from autodiff.native import made
from autodiff.native.helpers import duplicated, layout

ARITY: dict[Any, int] = {
    runtime.blanks: 20,
    runtime.duplicates: 20,
    runtime.orderless: 2,
    np.may_share_memory: 2,
    runtime.adjoint_of: 2,
    runtime.zeros_alike: 1,
    runtime.replica: 1,
}
"""How many arguments each may be given."""

# Numba compares the signatures of overloads, with annotations.


@overload(runtime.duplicates)
def _duplicates(*values):  # type: ignore[no-untyped-def]
    def copies(*values):  # type: ignore[no-untyped-def]
        return duplicated(values)

    return copies


@overload(runtime.blanks)
def _blanks(*values):  # type: ignore[no-untyped-def]
    zeros = made.duplicate(layout(types.Tuple(values)), "np.zeros_like({})")  # type: ignore[no-untyped-call]

    def blanks(*values):  # type: ignore[no-untyped-def]
        return zeros(values)

    return blanks if all(isinstance(value, types.Array) for value in values) else None


@overload(np.may_share_memory)
def _may_share_memory(a, b):  # type: ignore[no-untyped-def]
    if isinstance(a, types.Array) and isinstance(b, types.Array):
        return lambda a, b: made.overlap(a, b)
    return None


@overload(runtime.zeros_alike)
def _zeros_alike(x):  # type: ignore[no-untyped-def]
    """Of an array in C order: another one has no counterpart in compiled code."""
    if isinstance(x, types.Array) and x.layout == "C":
        return lambda x: np.zeros_like(x)
    return None


@overload(runtime.replica)
def _replica(x):  # type: ignore[no-untyped-def]
    """Of an array in C order: another one has no counterpart in compiled code."""
    if isinstance(x, types.Array) and x.layout == "C":
        return lambda x: x.copy()
    return None


@overload(runtime.orderless)
def _orderless(target, source):  # type: ignore[no-untyped-def]
    if not (isinstance(target, types.Array) and isinstance(source, types.Array)):
        return lambda target, source: None
    if target.ndim != 1 or source.ndim == 0 or target.dtype != source.dtype:
        return None

    def check(target, source):  # type: ignore[no-untyped-def]
        write, read = target.strides[0], source.strides[-1]
        if len(target) < 2 or source.shape[-1] < 2 or write == read or write * read <= 0:
            return
        if made.overlap(target, source) and _reads_written(target, source, write, read):
            raise ValueError("the two sides of a store overlap with different steps")

    return check


@register_jitable
def _reads_written(target: Any, source: Any, write: int, read: int) -> bool:
    """Whether an element is read after it was written, in the order in which NumPy goes: see
    `runtime.orderless`.
    """
    size = len(target)
    ahead = np.int64(source.ctypes.data) - np.int64(target.ctypes.data)  # which are unsigned
    if write < 0:
        ahead, write, read = ahead + (read - write) * (size - 1), -write, -read
    if ahead < 0 < ahead + size * read:
        ahead, write, read = ahead + (read - write) * (size - 1), -write, -read
    for turn in range(size):
        writer, rest = divmod(ahead + turn * read, write)
        if rest == 0 and 0 <= writer < turn:
            return True
    return False


@overload(runtime.adjoint_of)
def _adjoint_of(g, like):  # type: ignore[no-untyped-def]
    if isinstance(like, types.Array) and isinstance(like.dtype, (types.Float, types.Complex)):
        dtype, real = like.dtype, isinstance(like.dtype, types.Float)

        def array(g, like):  # type: ignore[no-untyped-def]
            result = np.empty(like.shape, dtype)  # type: ignore[call-overload]
            result[...] = np.real(g) if real else g
            return result

        return array
    if isinstance(like, types.Float) and isinstance(g, types.Complex):
        return lambda g, like: g.real
    if isinstance(like, (types.Float, types.Complex)) and isinstance(g, types.Number):
        return lambda g, like: g
    return None
