"""`x[i, k] += e` as one intrinsic: Numba types and lowers three operations, and a pair of indices.

With indices counted from the end where they are negative, and checked with `boundscheck=True`, as
Numba does it.
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic
from numba.np.arrayobj import load_item, store_item


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
