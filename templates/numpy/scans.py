"""Functions that run along an axis: cumulative sums and products, differences, quadrature."""

import numpy as np

from autodiff.rules import adjoint, d, linear, newer
from autodiff.runtime import (
    conj,
    cumprod_adjoint,
    even_trapezoid_adjoint,
    trapezoid_points_adjoint,
    trapezoid_step_adjoint,
    trapezoid_weights,
    unbroadcast,
    undiff,
)


@linear(np.cumsum)
def cumsum(y, a, axis=None, dtype=None):
    d[a] = (
        np.cumsum(d[y][::-1])[::-1]
        if np.ndim(a) == 1
        else np.reshape(np.cumsum(d[y][::-1])[::-1], np.shape(a))
        if axis is None or np.ndim(a) == 0
        else np.flip(np.cumsum(np.flip(d[y], axis), axis), axis)
    )


@adjoint(np.cumprod)
def cumprod(y, a, axis=None, dtype=None):
    d[a] = cumprod_adjoint(d[y], a, y, axis)


@adjoint(np.nancumsum)
def nancumsum(y, a, axis=None, dtype=None):
    back = (
        np.reshape(np.cumsum(d[y][::-1])[::-1], np.shape(a))
        if axis is None
        else np.flip(np.cumsum(np.flip(d[y], axis), axis), axis)
    )
    d[a] = np.where(np.isnan(a), 0.0, back)


@adjoint(np.nancumprod)
def nancumprod(y, a, axis=None, dtype=None):
    d[a] = np.where(np.isnan(a), 0.0, cumprod_adjoint(d[y], np.where(np.isnan(a), 1.0, a), y, axis))


@linear(newer.cumulative_sum)
def cumulative_sum(y, x, *, axis=None, dtype=None, include_initial=False):
    along = 0 if axis is None else axis
    g = np.delete(d[y], 0, along) if include_initial else d[y]
    d[x] = (
        np.cumsum(g[::-1])[::-1]
        if np.ndim(x) == 1
        else np.flip(np.cumsum(np.flip(g, along), along), along)
    )


@adjoint(newer.cumulative_prod)
def cumulative_prod(y, x, *, axis=None, dtype=None, include_initial=False):
    along = 0 if axis is None else axis
    g = np.delete(d[y], 0, along) if include_initial else d[y]
    products = np.delete(y, 0, along) if include_initial else y
    d[x] = cumprod_adjoint(g, x, products, along)


@linear(np.diff)
def diff(y, a, n=1, axis=-1, prepend=None, append=None):
    before = 0 if prepend is None else 1 if np.ndim(prepend) == 0 else np.shape(prepend)[axis]
    after = 0 if append is None else 1 if np.ndim(append) == 0 else np.shape(append)[axis]
    g = undiff(d[y], n, axis, before + np.shape(a)[axis] + after)
    d[a] = (
        undiff(d[y], n, axis, np.shape(a)[axis])
        if prepend is None and append is None
        else np.take(g, np.arange(before, before + np.shape(a)[axis]), axis)
    )
    d[prepend] = unbroadcast(np.take(g, np.arange(before), axis), like=prepend)
    d[append] = unbroadcast(
        np.take(g, np.arange(before + np.shape(a)[axis], np.shape(g)[axis]), axis), like=append
    )


@linear(np.ediff1d)
def ediff1d(y, ary, to_end=None, to_begin=None):
    before = 0 if to_begin is None else np.size(to_begin)
    after = before + np.size(ary) - 1
    d[ary] = np.reshape(undiff(d[y][before:after], 1, 0), np.shape(ary))
    d[to_end] = np.reshape(d[y][after:], np.shape(to_end))
    d[to_begin] = np.reshape(d[y][:before], np.shape(to_begin))


@adjoint(np.trapezoid if hasattr(np, "trapezoid") else np.trapz, linear_in=("y",))  # NumPy 2.0
def trapezoid(z, y, x=None, dx=1.0, axis=-1):
    g = np.expand_dims(d[z], axis)
    d[y] = (
        even_trapezoid_adjoint(d[z] * dx, y)
        if x is None
        and np.ndim(y) == 1
        and np.ndim(dx) == 0
        and np.isrealobj(y)
        and np.isrealobj(dx)
        else trapezoid_weights(y, None, d[z] * conj(dx), axis)
        if x is None and np.ndim(y) == 1 and np.ndim(dx) == 0
        else g * conj(trapezoid_weights(y, x, dx, axis))
    )
    d[x] = trapezoid_points_adjoint(g, y, x, axis)
    d[dx] = 0.0 if x is not None else trapezoid_step_adjoint(g, y, dx, axis)
