"""New arrays as intrinsics, not compiled for themselves.

Numba compiles a function of its own for each form of a call of `np.zeros_like`, and what that
calls: 100 ms for a matrix. What is written in intrinsics is generated where it stands; indices are
counted from the end where they are negative, and checked with `boundscheck=True`, as Numba does it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic
from numba.np.arrayobj import _empty_nd_impl, _parse_shape
from numba.np.numpy_support import from_dtype


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def empty(context: Any, shape: Any, dtype: Any) -> Any:
    """`np.empty(shape, dtype)`, with a dtype such as `"float64"`."""
    return _made(shape, dtype, False)


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def zeros(context: Any, shape: Any, dtype: Any) -> Any:
    """`np.zeros(shape, dtype)`, with a dtype such as `"float64"`."""
    return _made(shape, dtype, True)


@intrinsic  # type: ignore[untyped-decorator]
def empty_like(context: Any, x: Any) -> Any:
    """`np.empty_like(x)` of an array."""
    return _made_like(x, False)


@intrinsic  # type: ignore[untyped-decorator]
def zeros_like(context: Any, x: Any) -> Any:
    """`np.zeros_like(x)` of an array."""
    return _made_like(x, True)


def _made(shape: Any, dtype: Any, cleared: bool) -> Any:
    if not isinstance(dtype, types.StringLiteral):
        return None
    sizes = list(shape.types) if isinstance(shape, types.BaseTuple) else [shape]  # type: ignore[attr-defined]
    if not all(isinstance(types.unliteral(size), types.Integer) for size in sizes):  # type: ignore[no-untyped-call]
        raise TypingError(f"the size of an array is a whole number, not {shape}")
    numbers = from_dtype(np.dtype(dtype.literal_value))  # type: ignore[no-untyped-call]
    found = types.Array(numbers, len(sizes), "C")  # type: ignore[no-untyped-call]

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        shapes = _parse_shape(target, builder, signature.args[0], arguments[0])  # type: ignore[no-untyped-call]
        return _new(target, builder, signature.return_type, shapes, cleared)

    return found(types.unliteral(shape), dtype), generate  # type: ignore[no-untyped-call]


def _made_like(x: Any, cleared: bool) -> Any:
    if not isinstance(x, types.Array):
        return None
    layout = x.layout if x.layout in "CF" else "C"
    found = x.copy(layout=layout, readonly=False)  # type: ignore[no-untyped-call]

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        given = signature.args[0]
        array = target.make_array(given)(target, builder, arguments[0])
        shapes = cgutils.unpack_tuple(builder, array.shape, given.ndim)  # type: ignore[no-untyped-call]
        return _new(target, builder, signature.return_type, shapes, cleared)

    return found(x), generate


def _new(target: Any, builder: Any, kind: Any, shapes: Any, cleared: bool) -> Any:
    array = _empty_nd_impl(target, builder, kind, shapes)  # type: ignore[no-untyped-call]
    if cleared:
        size = builder.mul(array.itemsize, array.nitems)
        cgutils.memset(builder, array.data, size, 0)  # type: ignore[no-untyped-call]
    return array._getvalue()
