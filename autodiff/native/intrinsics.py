"""New arrays, and `x[i, k] += e`, as intrinsics: not compiled for themselves.

Numba compiles a function of its own for each form of a call of `np.zeros_like`, and what that
calls: 100 ms for a matrix; of an update it types and lowers three operations, and a pair of
indices. What is written in intrinsics is generated where it stands, with indices counted from the
end where they are negative, and checked with `boundscheck=True`, as Numba does it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic
from numba.np.arrayobj import _empty_nd_impl, _parse_shape, load_item, store_item
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


@intrinsic  # type: ignore[untyped-decorator]
def add_at(context: Any, x: Any, at: Any, value: Any) -> Any:
    """`x[at] += value` for an element of an array of floats: a whole number, or one per axis."""
    return _added(x, at, value, "fadd")


@intrinsic  # type: ignore[untyped-decorator]
def subtract_at(context: Any, x: Any, at: Any, value: Any) -> Any:
    """`x[at] -= value` for an element of an array of floats."""
    return _added(x, at, value, "fsub")


def _added(x: Any, at: Any, value: Any, operation: str) -> Any:
    indices = list(at.types) if isinstance(at, types.BaseTuple) else [at]  # type: ignore[attr-defined]
    plain = [types.unliteral(part) for part in (*indices, value)]  # type: ignore[no-untyped-call]
    is_floats = isinstance(x, types.Array) and x.dtype == types.float64 and x.mutable
    if not is_floats or len(indices) != x.ndim:
        raise TypingError(f"no array of floats with {len(indices)} axes, but {x}")
    if not all(isinstance(part, types.Integer) for part in plain[:-1]):
        raise TypingError(f"the index of an element is a whole number, not {at}")
    if not isinstance(plain[-1], (types.Float, types.Integer, types.Boolean)):
        raise TypingError(f"what is added to a float is a number, not {value}")

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind, at, _ = signature.args
        array, given, number = arguments
        parts = [given]
        if isinstance(at, types.BaseTuple):
            parts = cgutils.unpack_tuple(builder, given, kind.ndim)  # type: ignore[no-untyped-call]
        place = address(target, builder, kind, array, parts)
        before = load_item(target, builder, kind, place)  # type: ignore[no-untyped-call]
        after = getattr(builder, operation)(before, number)
        store_item(target, builder, kind, after, place)  # type: ignore[no-untyped-call]
        return target.get_dummy_value()

    is_tuple = isinstance(at, types.BaseTuple)
    place = types.UniTuple(types.intp, x.ndim) if is_tuple else types.intp  # type: ignore[no-untyped-call]
    return types.none(x, place, x.dtype), generate


def address(target: Any, builder: Any, kind: Any, array: Any, parts: list[Any]) -> Any:
    """Where an element lies: what it takes is read out of the array, without a copy in memory."""
    model = target.data_model_manager[kind]
    data, shape, strides = (model.get(builder, array, f) for f in ("data", "shape", "strides"))
    sizes = cgutils.unpack_tuple(builder, shape, kind.ndim)  # type: ignore[no-untyped-call]
    steps = cgutils.unpack_tuple(builder, strides, kind.ndim)  # type: ignore[no-untyped-call]
    return element(target, builder, kind, data, sizes, steps, parts)


def element(
    target: Any,
    builder: Any,
    kind: Any,
    data: Any,
    sizes: list[Any],
    steps: list[Any],
    parts: list[Any],
) -> Any:
    """Where an element lies, of an array that is taken apart."""
    places = [
        part if _is_counted(part) else _counted(builder, part, size)
        for part, size in zip(parts, sizes)
    ]
    return cgutils.get_item_pointer2(  # type: ignore[no-untyped-call]
        target,
        builder,
        data,
        sizes,
        steps,
        kind.layout,
        places,
        boundscheck=target.enable_boundscheck,
    )


def _is_counted(part: Any) -> bool:
    """Whether an index is a number in the text that counts from the beginning."""
    number = getattr(part, "constant", None)
    return isinstance(number, int) and number >= 0


def _counted(builder: Any, part: Any, size: Any) -> Any:
    """An index from the beginning, for one that may count from the end."""
    is_less = builder.icmp_signed("<", part, part.type(0))
    return builder.select(is_less, builder.add(part, size), part)
