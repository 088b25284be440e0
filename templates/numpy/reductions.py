"""Sums, products, extrema and moments over axes."""

import numpy as np

from autodiff.rules import adjoint, d, linear, nondifferentiable
from autodiff.runtime import (
    average_weights_adjoint,
    conj,
    initial_share,
    others,
    proportions,
    reduced_size,
    unbroadcast,
    unreduce,
    winners,
)


@linear(np.sum)
def sum(y, a, axis=None, dtype=None, *, keepdims=False, initial=0.0, where=True):
    d[a] = (
        unreduce(d[y], like=a, axis=axis, keepdims=keepdims)
        if where is True
        else np.where(where, unreduce(d[y], like=a, axis=axis, keepdims=keepdims), 0.0)
    )
    d[initial] = np.sum(d[y])


@linear(np.mean)
def mean(y, a, axis=None, dtype=None, *, keepdims=False, where=True):
    n = (
        np.sum(np.broadcast_to(where, np.shape(a)), axis, np.result_type(y), keepdims=keepdims)
        if where is not True
        else np.size(a)
        if axis is None
        else reduced_size(a, axis)
    )
    d[a] = (
        unreduce(d[y] / n, like=a, axis=axis, keepdims=keepdims)
        if where is True
        else np.where(where, unreduce(d[y] / n, like=a, axis=axis, keepdims=keepdims), 0.0)
    )


@adjoint(np.prod)
def prod(y, a, axis=None, dtype=None, *, keepdims=False, initial=1.0, where=True):
    g = d[y] if axis is None or keepdims or np.ndim(a) == 0 else np.expand_dims(d[y], axis)
    factors = a if where is True else np.where(where, a, 1.0)
    slope = g * conj(initial) * conj(others(factors) if axis is None else others(factors, axis))
    d[a] = slope if where is True else np.where(where, slope, 0.0)
    d[initial] = np.sum(d[y] * conj(np.prod(a, axis, keepdims=keepdims, where=where)))


@adjoint(np.max, np.min, np.amax, np.amin)
def extremum(y, a, axis=None, *, keepdims=False, initial=None, where=True):
    """Where the initial value is as good as an element, the element counts."""
    candidates = a if where is True else np.where(where, a, np.nan)
    best = candidates == unreduce(y, like=a, axis=axis, keepdims=keepdims)
    ties = (
        1
        if np.ndim(a) == 0
        else np.count_nonzero(best) or 1
        if axis is None
        else np.maximum(np.sum(best, axis, y.dtype), 1)
        if keepdims is False
        else np.maximum(np.sum(best, axis, y.dtype, keepdims=keepdims), 1)
    )
    d[a] = best * unreduce(d[y] / ties, like=a, axis=axis, keepdims=keepdims)
    d[initial] = np.sum(d[y] * initial_share(candidates, y, axis, keepdims))


@adjoint(np.nanmax, np.nanmin)
def extremum_of_numbers(y, a, axis=None, *, keepdims=False, initial=None, where=True):
    candidates = a if where is True else np.where(where, a, np.nan)
    best = candidates == unreduce(y, like=a, axis=axis, keepdims=keepdims)
    ties = np.maximum(np.sum(best, axis, np.result_type(y), keepdims=keepdims), 1)
    d[a] = np.where(best, unreduce(d[y] / ties, like=a, axis=axis, keepdims=keepdims), 0.0)
    d[initial] = np.sum(d[y] * initial_share(candidates, y, axis, keepdims))


@adjoint(np.ptp)
def ptp(y, a, axis=None, *, keepdims=False):
    g = d[y] if axis is None or keepdims or np.ndim(a) == 0 else np.expand_dims(d[y], axis)
    d[a] = g * (
        winners(a, np.max(a, axis, keepdims=True), axis, True)
        - winners(a, np.min(a, axis, keepdims=True), axis, True)
    )


@adjoint(np.var)
def var(
    y,
    a,
    axis=None,
    dtype=None,
    *,
    ddof=0,
    keepdims=False,
    where=True,
    mean=None,
    correction=None,
):
    whole = axis is None or np.ndim(a) == 1
    g = d[y] if whole or keepdims or axis == 0 else np.expand_dims(d[y], axis)
    size = (
        np.sum(np.broadcast_to(where, np.shape(a)), axis, np.result_type(y), keepdims=True)
        if where is not True
        else np.size(a)
        if whole
        else reduced_size(a, axis)
    )
    less = ddof if correction is None else correction
    n = size if less == 0 else size - less
    center = (
        mean
        if mean is not None
        else np.mean(a, axis, keepdims=True, where=where)
        if where is not True
        else np.mean(a)
        if whole
        else np.mean(a, axis)
        if axis == 0
        else np.mean(a, axis, keepdims=True)
    )
    d[a] = (
        g * (2 / n) * (a - center)
        if where is True
        else np.where(where, g * (2 / n) * (a - center), 0.0)
    )
    d[mean] = -unbroadcast(
        g * (2 / n) * (a - center)
        if where is True
        else np.where(where, g * (2 / n) * (a - center), 0.0),
        like=mean,
    )


@adjoint(np.std)
def std(
    y,
    a,
    axis=None,
    dtype=None,
    *,
    ddof=0,
    keepdims=False,
    where=True,
    mean=None,
    correction=None,
):
    ratio = d[y] / np.where(y == 0, 1.0, y)
    whole = axis is None or np.ndim(a) == 1
    g = ratio if whole or keepdims or axis == 0 else np.expand_dims(ratio, axis)
    size = (
        np.sum(np.broadcast_to(where, np.shape(a)), axis, np.result_type(y), keepdims=True)
        if where is not True
        else np.size(a)
        if whole
        else reduced_size(a, axis)
    )
    less = ddof if correction is None else correction
    n = size if less == 0 else size - less
    center = (
        mean
        if mean is not None
        else np.mean(a, axis, keepdims=True, where=where)
        if where is not True
        else np.mean(a)
        if whole
        else np.mean(a, axis)
        if axis == 0
        else np.mean(a, axis, keepdims=True)
    )
    d[a] = g / n * (a - center) if where is True else np.where(where, g / n * (a - center), 0.0)
    d[mean] = -unbroadcast(
        g / n * (a - center) if where is True else np.where(where, g / n * (a - center), 0.0),
        like=mean,
    )


@adjoint(np.average)
def average(y, a, axis=None, weights=None, returned=False, *, keepdims=False):
    """The sum of the weights is the second result, if it is asked for."""
    y_bar = d[y][0] if returned else d[y]
    value = y[0] if returned else y
    n = np.size(a) if axis is None else reduced_size(a, axis)
    g = y_bar if axis is None or keepdims else np.expand_dims(y_bar, axis)
    mean = value if axis is None or keepdims else np.expand_dims(value, axis)
    total_bar = (
        0.0
        if not returned
        else d[y][1]
        if axis is None or keepdims
        else np.expand_dims(d[y][1], axis)
    )
    d[a] = (
        unreduce(y_bar / n, like=a, axis=axis, keepdims=keepdims)
        if weights is None
        else g * conj(proportions(weights, a, axis))
    )
    d[weights] = average_weights_adjoint(g, total_bar, weights, a - mean, axis)


nondifferentiable(
    *(np.argmax, np.argmin, np.nanargmax, np.nanargmin, np.count_nonzero, np.all, np.any),
    *(np.allclose, np.array_equal, np.array_equiv),
)
