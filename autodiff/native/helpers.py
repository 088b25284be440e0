"""What lowered code calls: compiled by Numba, together with the function that calls it.

Where the runtime has a helper that Numba can compile for some types, it has an overload here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core import types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload, register_jitable

from autodiff import runtime
from autodiff.native import made
from autodiff.native.arrays import repeated_at
from autodiff.native.native_kinds import CHOICES
from autodiff.native.stands import stands_for


@register_jitable
def backwards(start: int, stop: int, step: int) -> range:
    """The numbers of `range(start, stop, step)` from the last to the first."""
    count = len(range(start, stop, step))
    return range(start + (count - 1) * step, start - step, -step)


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def span(context: Any, size: Any, lower: Any, upper: Any, step: Any) -> Any:
    """Where the slice of an axis of this size begins, and how many places it has."""
    if not isinstance(step, types.IntegerLiteral):
        return None
    by = step.literal_value

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        size, *ends, _ = arguments
        number = size.type
        low, high = (number(0), size) if by > 0 else (number(-1), builder.sub(size, number(1)))
        for k, end in enumerate(ends):
            is_less = builder.icmp_signed("<", end, number(0))
            end = builder.select(is_less, builder.add(end, size), end)
            end = builder.select(builder.icmp_signed("<", end, low), low, end)
            ends[k] = builder.select(builder.icmp_signed(">", end, high), high, end)
        reach = builder.sub(*(ends[::-1] if by > 0 else ends))
        count = reach
        if abs(by) > 1:
            count = builder.sdiv(builder.add(reach, number(abs(by) - 1)), number(abs(by)))
        is_some = builder.icmp_signed(">", reach, number(0))
        count = builder.select(is_some, count, number(0))
        return target.make_tuple(builder, signature.return_type, (ends[0], count))

    return types.UniTuple(types.intp, 2)(types.intp, types.intp, types.intp, step), generate  # type: ignore[no-untyped-call]


def _of_sizes(result: Callable[..., Any]) -> Callable[..., Any]:
    """The code of a number of two sizes that are equal, or of which one may be 1."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        same = builder.icmp_signed("==", *arguments)
        found, fits = result(builder, same, *arguments)
        with builder.if_then(builder.not_(builder.or_(same, fits)), likely=False):
            message = "operands could not be broadcast together"
            target.call_conv.return_user_exc(builder, ValueError, (message,))
        return found

    return generate


@intrinsic  # type: ignore[untyped-decorator]
def fit(context: Any, one: Any, other: Any) -> Any:
    """The size of an axis of a result, for those of two operands."""

    def result(builder: Any, same: Any, one: Any, other: Any) -> Any:
        first, second = (builder.icmp_signed("==", x, x.type(1)) for x in (one, other))
        return builder.select(first, other, one), builder.or_(first, second)

    return types.intp(types.intp, types.intp), _of_sizes(result)


@intrinsic  # type: ignore[untyped-decorator]
def stretch(context: Any, size: Any, wanted: Any) -> Any:
    """How far the next element is along an axis of an operand, if the result's has this size."""

    def result(builder: Any, same: Any, size: Any, wanted: Any) -> Any:
        return builder.zext(same, size.type), builder.icmp_signed("==", size, size.type(1))

    return types.intp(types.intp, types.intp), _of_sizes(result)


@intrinsic  # type: ignore[untyped-decorator]
def choose(context: Any, test: Any, one: Any, other: Any) -> Any:
    """`one if test else other`, both of which are computed."""
    one, other = types.unliteral(one), types.unliteral(other)  # type: ignore[no-untyped-call]
    found = context.unify_types(one, other)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        asked, *given = signature.args
        holds = target.cast(builder, arguments[0], asked, types.boolean)
        both = [target.cast(builder, v, k, found) for v, k in zip(arguments[1:], given)]
        return builder.select(holds, *both)

    return None if found is None else (found(types.unliteral(test), one, other), generate)  # type: ignore[no-untyped-call]


CHOICES.append(choose)


@stands_for(np.vdot, a="array", b="array")
@register_jitable
def vdot(a: Any, b: Any) -> Any:
    """`np.vdot` of real arrays of one shape, in any memory layout."""
    if a.shape != b.shape:
        raise ValueError("vdot: arrays of different shapes")
    total = 0.0
    for at in np.ndindex(a.shape):
        total += a[at] * b[at]
    return total


# An intrinsic, which is not compiled on its own: that takes Numba 50 ms for each type.


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def exact(context: Any, value: Any, dtype: Any) -> Any:
    """The value, which goes into a store of this dtype; Numba may not have made a float of it."""
    if not isinstance(dtype, types.StringLiteral):
        return None
    given = types.unliteral(value)  # type: ignore[no-untyped-call]
    if not isinstance(given, {"int": types.Integer, "bool": types.Boolean}[dtype.literal_value]):
        raise TypingError(f"a value of type {value} goes on a tape of type {dtype.literal_value}")

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return arguments[0]

    return given(given, dtype), generate


@overload(runtime.copied)
def _copied(x: Any) -> Any:
    if not isinstance(x, types.Array):
        return None

    def copy(x: Any) -> Any:
        return x.copy()

    return copy


@register_jitable
def duplicated(x: Any) -> Any:
    """A copy of a tuple of numbers, arrays and such tuples; what is one array twice stays so."""
    return _duplicated(x)  # type: ignore[no-untyped-call]


def _duplicated(x):  # type: ignore[no-untyped-def] # Numba compares signatures, with annotations
    """`duplicated`, written for one type."""


@overload(_duplicated)
def _written(x):  # type: ignore[no-untyped-def]
    return made.duplicate(layout(x))


@register_jitable
def added(x: Any, y: Any) -> Any:
    """The sums of what two tuples hold, numbers and arrays; the arrays of the first change."""
    return _added(x, y)  # type: ignore[no-untyped-call]


def _added(x, y):  # type: ignore[no-untyped-def] # Numba compares signatures, with annotations
    """`added`, written for one type."""


@overload(_added)
def _sums(x, y):  # type: ignore[no-untyped-def]
    return made.added(layout(x))


def layout(kind: Any) -> Any:
    """A type of Numba's as `made.duplicate` takes it: what copies of arrays have in common."""
    if isinstance(kind, types.BaseTuple):
        parts: Any = kind
        return tuple(map(layout, parts.types))
    return f"{kind.dtype}[{kind.ndim}]" if isinstance(kind, types.Array) else None


@overload(runtime.alike)
def _alike(g: Any, value: Any) -> Any:
    if not isinstance(g, types.Array) or not isinstance(value, types.Array):
        return None

    def check(g: Any, value: Any) -> None:
        if g.shape != value.shape:
            raise ValueError("the seed has not the shape of the value")

    return check


stands_for(runtime.unbroadcast, g="any", like="any")(runtime.unbroadcast)


@overload(runtime.unbroadcast)
def _unbroadcast(g: Any, like: Any) -> Any:
    """Each element of `g` is added to the element of `like` that was repeated to give it."""
    if not isinstance(like, types.Array):
        return _total if isinstance(g, types.Array) else None
    if not isinstance(g, types.Array) or g.ndim < like.ndim:
        return None
    extra, ndim = g.ndim - like.ndim, like.ndim

    def summed(g: Any, like: Any) -> Any:
        result = np.zeros(like.shape, like.dtype)
        for axis in range(ndim):
            if like.shape[axis] != 1 and like.shape[axis] != g.shape[axis + extra]:
                raise ValueError("unbroadcast: an adjoint smaller than its primal")
        for at in np.ndindex(g.shape):
            result[repeated_at(at, like.shape, extra)] += g[at]
        return result

    return summed


def _total(g: Any, like: Any) -> Any:
    return g.sum()
