"""Typed memory that grows while a loop runs whose trips nobody knows.

A variable that holds another array now and then has Numba count references in each iteration, and
its lists are looked through at each `append`. So the array is held by a list of one, which stays
the same, and the loop has a number for its address and one for its length. What is written in
intrinsics Numba need not compile on its own, which takes 50 ms for each function.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import intrinsic, register_jitable


@register_jitable
def owned(store: Any) -> Any:
    """A holder of an array, which is empty in the beginning."""
    return [store]


@register_jitable
def grown(owner: Any, count: int, wanted: int) -> Any:
    """The address and the length of an array that has room for `wanted` more numbers.

    It holds the first `count` numbers of the one before, which `owner` let go.
    """
    store = owner[0]
    size = count + wanted + len(store) + 63
    longer = np.empty(size, store.dtype)
    for k in range(count):  # a copy of slices takes Numba ten times as long to compile
        longer[k] = store[k]
    owner[0] = longer
    return np.int64(longer.ctypes.data), len(longer)


@intrinsic  # type: ignore[untyped-decorator]
def put(context: Any, owner: Any, address: Any, at: Any, value: Any) -> Any:
    """Store a number at a position of the array that `owner` holds."""
    dtype, given = owner.dtype.dtype, types.unliteral(value)  # type: ignore[no-untyped-call]

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, base, position, number = arguments
        place = _place(target, builder, dtype, base, position)
        cast = target.cast(builder, number, signature.args[3], dtype)
        target.pack_value(builder, dtype, cast, place)
        return target.get_dummy_value()

    return types.none(owner, types.int64, types.int64, given), generate


@intrinsic  # type: ignore[untyped-decorator]
def got(context: Any, owner: Any, address: Any, at: Any) -> Any:
    """The number at a position of the array that `owner` holds, which lives as long as that."""
    dtype = owner.dtype.dtype

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, base, position = arguments
        place = _place(target, builder, dtype, base, position)
        return target.unpack_value(builder, dtype, place)

    return dtype(owner, types.int64, types.int64), generate


def _place(target: Any, builder: Any, dtype: Any, base: Any, position: Any) -> Any:
    kind = target.get_data_type(dtype).as_pointer()
    return builder.gep(builder.inttoptr(base, kind), [position])
