"""Sums, products, extrema and moments over axes."""

import numpy as np

from autodiff.rules import adjoint, d, linear, nondifferentiable
from autodiff.runtime import (
    average_weights_adjoint,
    conj,
    cumprod_adjoint,
    others,
    proportions,
    reduced_size,
    trapezoid_points_adjoint,
    trapezoid_weights,
    undiff,
    unreduce,
    winners,
)


@linear(np.sum)
def sum(y, a, axis=None, *, keepdims=False):
    d[a] = unreduce(d[y], like=a, axis=axis, keepdims=keepdims)


@linear(np.mean)
def mean(y, a, axis=None, *, keepdims=False):
    n = np.size(a) if axis is None else reduced_size(a, axis)
    d[a] = unreduce(d[y] / n, like=a, axis=axis, keepdims=keepdims)


@adjoint(np.prod)
def prod(y, a, axis=None, *, keepdims=False):
    g = d[y] if axis is None or keepdims else np.expand_dims(d[y], axis)
    d[a] = g * conj(others(a) if axis is None else others(a, axis))


@adjoint(np.max, np.min, np.amax, np.amin, np.nanmax, np.nanmin)
def extremum(y, a, axis=None, *, keepdims=False):
    g = d[y] if axis is None or keepdims else np.expand_dims(d[y], axis)
    d[a] = g * (winners(a, y) if axis is None else winners(a, y, axis, keepdims))


@adjoint(np.ptp)
def ptp(y, a, axis=None, *, keepdims=False):
    g = d[y] if axis is None or keepdims else np.expand_dims(d[y], axis)
    d[a] = g * (
        winners(a, np.max(a, axis, keepdims=True), axis, True)
        - winners(a, np.min(a, axis, keepdims=True), axis, True)
    )


@adjoint(np.var)
def var(y, a, axis=None, *, ddof=0, keepdims=False):
    whole = axis is None or np.ndim(a) == 1
    g = d[y] if whole or keepdims else np.expand_dims(d[y], axis)
    size = np.size(a) if whole else reduced_size(a, axis)
    n = size if ddof == 0 else size - ddof
    d[a] = g * (2 / n) * (a - (np.mean(a) if whole else np.mean(a, axis, keepdims=True)))


@adjoint(np.std)
def std(y, a, axis=None, *, ddof=0, keepdims=False):
    slope = d[y] / np.where(y == 0, 1.0, y)
    whole = axis is None or np.ndim(a) == 1
    g = slope if whole or keepdims else np.expand_dims(slope, axis)
    size = np.size(a) if whole else reduced_size(a, axis)
    n = size if ddof == 0 else size - ddof
    d[a] = g / n * (a - (np.mean(a) if whole else np.mean(a, axis, keepdims=True)))


@adjoint(np.average)
def average(y, a, axis=None, weights=None, *, keepdims=False):
    n = np.size(a) if axis is None else reduced_size(a, axis)
    g = d[y] if axis is None or keepdims else np.expand_dims(d[y], axis)
    mean = y if axis is None or keepdims else np.expand_dims(y, axis)
    d[a] = (
        unreduce(d[y] / n, like=a, axis=axis, keepdims=keepdims)
        if weights is None
        else g * proportions(weights, a, axis)
    )
    d[weights] = average_weights_adjoint(g, weights, a - mean, axis)


@linear(np.cumsum)
def cumsum(y, a, axis=None):
    d[a] = (
        np.cumsum(d[y][::-1])[::-1]
        if np.ndim(a) == 1
        else np.reshape(np.cumsum(d[y][::-1])[::-1], np.shape(a))
        if axis is None
        else np.flip(np.cumsum(np.flip(d[y], axis), axis), axis)
    )


@adjoint(np.cumprod)
def cumprod(y, a, axis=None):
    d[a] = cumprod_adjoint(d[y], a, y, axis)


@linear(np.nansum)
def nansum(y, a, axis=None, *, keepdims=False):
    d[a] = np.where(np.isnan(a), 0.0, unreduce(d[y], like=a, axis=axis, keepdims=keepdims))


@linear(np.nanmean)
def nanmean(y, a, axis=None, *, keepdims=False):
    n = np.sum(~np.isnan(a), axis=axis, keepdims=keepdims)
    d[a] = np.where(np.isnan(a), 0.0, unreduce(d[y] / n, like=a, axis=axis, keepdims=keepdims))


@linear(np.diff)
def diff(y, a, n=1, axis=-1):
    d[a] = undiff(d[y], n, axis)


@adjoint(np.trapezoid if hasattr(np, "trapezoid") else np.trapz)  # NumPy 2.0
def trapezoid(z, y, x=None, dx=1.0, axis=-1):
    g = np.expand_dims(d[z], axis)
    d[y] = g * trapezoid_weights(y, x, dx, axis)
    d[x] = trapezoid_points_adjoint(g, y, x, axis)


nondifferentiable(
    *(np.argmax, np.argmin, np.nanargmax, np.nanargmin, np.count_nonzero, np.all, np.any),
    *(np.allclose, np.array_equal, np.array_equiv),
)
