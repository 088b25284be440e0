"""Interpolation, convolution and what shifts elements, for what Numba compiles."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import overload, register_jitable

from autodiff import runtime
from autodiff.native.stands import stands_for

_INSIDE = {"left": (None,), "right": (None,), "period": (None,)}


@register_jitable
def _before(x: Any, xp: Any) -> Any:
    """The node before a point, the first or last but one for what is outside or no number."""
    return min(max(np.searchsorted(xp, x, "right") - 1, 0), max(len(xp) - 2, 0))


@register_jitable
def _value(x: Any, xp: Any, fp: Any) -> float:
    """As NumPy computes it: from the node on the left, or on the right where that is NaN."""
    if np.isnan(x):
        return x  # type: ignore[no-any-return]
    if x < xp[0]:
        return fp[0]  # type: ignore[no-any-return]
    if x >= xp[-1]:
        return fp[-1]  # type: ignore[no-any-return]
    k = _before(x, xp)
    if xp[k] == x:
        return fp[k]  # type: ignore[no-any-return]
    slope = (fp[k + 1] - fp[k]) / (xp[k + 1] - xp[k])
    value = slope * (x - xp[k]) + fp[k]
    if np.isnan(value):
        value = slope * (x - xp[k + 1]) + fp[k + 1]
        if np.isnan(value) and fp[k] == fp[k + 1]:
            value = fp[k]
    return value  # type: ignore[no-any-return]


@register_jitable
def _slope(x: Any, xp: Any, fp: Any) -> float:
    k = _before(x, xp)
    after = k + 1 if len(xp) > 1 else k
    if xp[0] <= x <= xp[-1] and xp[k] < xp[after]:
        return (fp[after] - fp[k]) / (xp[after] - xp[k])  # type: ignore[no-any-return]
    return 0.0


@register_jitable
def _spread(result: Any, g: Any, x: Any, xp: Any) -> None:
    """Add what belongs to the two nodes around a point."""
    k = _before(x, xp)
    after = k + 1 if len(xp) > 1 else k
    if xp[after] > xp[k]:
        share = (x - xp[k]) / (xp[after] - xp[k])
        if share < 0.0:
            share = 0.0
        elif share > 1.0:
            share = 1.0
    elif x >= xp[after]:
        share = 1.0
    else:
        share = x if np.isnan(x) else 0.0
    result[k] += g * (1 - share)
    result[after] += g * share


@stands_for(np.interp, x="point", xp="vector", fp="vector", **_INSIDE)
def interp(x: Any, xp: Any, fp: Any) -> Any:
    """`np.interp` of a number or a vector."""


@stands_for(runtime.interp_slope, x="point", xp="vector", fp="vector", **_INSIDE)
def interp_slope(x: Any, xp: Any, fp: Any) -> Any:
    """`runtime.interp_slope` of a number or a vector."""


@stands_for(runtime.interp_values_adjoint, g="point", x="point", xp="vector", **_INSIDE)
def interp_values_adjoint(g: Any, x: Any, xp: Any) -> Any:
    """`runtime.interp_values_adjoint` of a number or a vector."""


def _pointwise(function: Any) -> Any:
    def written(x: Any, xp: Any, fp: Any) -> Any:
        def one(x: Any, xp: Any, fp: Any) -> Any:
            if len(xp) == 0 or len(xp) != len(fp):
                raise ValueError("np.interp: fp and xp are not of the same length")
            return function(float(x), xp, fp)

        def each(x: Any, xp: Any, fp: Any) -> Any:
            if len(xp) == 0 or len(xp) != len(fp):
                raise ValueError("np.interp: fp and xp are not of the same length")
            result = np.empty(len(x))
            for i in range(len(x)):
                result[i] = function(float(x[i]), xp, fp)
            return result

        return each if isinstance(x, types.Array) else one

    return written


overload(interp)(_pointwise(_value))
overload(interp_slope)(_pointwise(_slope))


@overload(interp_values_adjoint)
def _interp_values_adjoint(g: Any, x: Any, xp: Any) -> Any:
    if isinstance(x, types.Array) and not isinstance(g, types.Array):
        return None

    def one(g: Any, x: Any, xp: Any) -> Any:
        result = np.zeros(len(xp))
        _spread(result, g, float(x), xp)
        return result

    def each(g: Any, x: Any, xp: Any) -> Any:
        result = np.zeros(len(xp))
        for i in range(len(x)):
            _spread(result, g[i], float(x[i]), xp)
        return result

    return each if isinstance(x, types.Array) else one


@stands_for(np.convolve, a="vector", v="vector", mode=(None, "full"))
@register_jitable
def convolved(a: Any, v: Any) -> Any:
    """`np.convolve(a, v)` of two vectors."""
    if len(a) == 0 or len(v) == 0:
        raise ValueError("np.convolve: an empty array")
    result = np.zeros(len(a) + len(v) - 1)
    for i in range(len(a)):
        for j in range(len(v)):
            result[i + j] += a[i] * v[j]
    return result


@stands_for(np.correlate, a="vector", v="vector", mode=(None, "valid"))
@register_jitable
def correlated(a: Any, v: Any) -> Any:
    """`np.correlate(a, v, "valid")` of two vectors."""
    if len(a) == 0 or len(v) == 0:
        raise ValueError("np.correlate: an empty array")
    if len(a) < len(v):
        return _along(v, a)[::-1].copy()
    return _along(a, v)


@register_jitable
def _along(a: Any, v: Any) -> Any:
    result = np.zeros(len(a) - len(v) + 1)
    for k in range(len(result)):
        for j in range(len(v)):
            result[k] += a[k + j] * v[j]
    return result


@stands_for(np.cross, a="vector", b="vector")
@register_jitable
def cross(a: Any, b: Any) -> Any:
    """`np.cross` of two vectors of length 3."""
    if len(a) != 3 or len(b) != 3:
        raise ValueError("np.cross: vectors whose length is not 3")
    result = np.empty(3)
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        result[k] = a[i] * b[j] - a[j] * b[i]
    return result


@stands_for(np.searchsorted, a="vector", v="point", side=(None, "left"))
@register_jitable
def places_left(a: Any, v: Any) -> Any:
    """`np.searchsorted(a, v)`."""
    return np.searchsorted(a, v)


@stands_for(np.searchsorted, a="vector", v="point", side=("right",))
@register_jitable
def places_right(a: Any, v: Any) -> Any:
    """`np.searchsorted(a, v, "right")`."""
    return np.searchsorted(a, v, "right")
