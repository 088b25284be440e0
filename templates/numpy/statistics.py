"""Order statistics, and reductions that leave NaN out."""

import numpy as np

from autodiff.rules import adjoint, d
from autodiff.runtime import (
    conj,
    nanquantile_adjoint,
    nanquantile_level_adjoint,
    others,
    quantile_adjoint,
    quantile_level_adjoint,
    unbroadcast,
    unreduce,
    weighted_quantile_adjoint,
)


@adjoint(np.median)
def median(y, a, axis=None, *, keepdims=False):
    """Equal elements keep their order: the adjoint goes to those that a stable sort puts there."""
    d[a] = quantile_adjoint(d[y], a, 0.5, axis)


@adjoint(np.quantile)
def quantile(y, a, q, axis=None, *, method="linear", keepdims=False, weights=None):
    """With weights the only method jumps from one element to the next."""
    d[a] = (
        quantile_adjoint(d[y], a, q, axis, method)
        if weights is None
        else weighted_quantile_adjoint(d[y], y, a, axis)
    )
    d[q] = 0.0 if weights is not None else quantile_level_adjoint(d[y], a, q, axis, method)
    d[weights] = 0.0


@adjoint(np.percentile)
def percentile(y, a, q, axis=None, *, method="linear", keepdims=False, weights=None):
    d[a] = (
        quantile_adjoint(d[y], a, np.true_divide(q, 100), axis, method)
        if weights is None
        else weighted_quantile_adjoint(d[y], y, a, axis)
    )
    d[q] = (
        0.0
        if weights is not None
        else quantile_level_adjoint(d[y] / 100, a, np.true_divide(q, 100), axis, method)
    )
    d[weights] = 0.0


@adjoint(np.nanmedian)
def nanmedian(y, a, axis=None, *, keepdims=False):
    d[a] = np.where(np.isnan(a), 0.0, nanquantile_adjoint(d[y], a, 0.5, axis))


@adjoint(np.nanquantile)
def nanquantile(y, a, q, axis=None, *, method="linear", keepdims=False):
    d[a] = np.where(np.isnan(a), 0.0, nanquantile_adjoint(d[y], a, q, axis, method))
    d[q] = nanquantile_level_adjoint(d[y], a, q, axis, method)


@adjoint(np.nanpercentile)
def nanpercentile(y, a, q, axis=None, *, method="linear", keepdims=False):
    g = nanquantile_adjoint(d[y], a, np.true_divide(q, 100), axis, method)
    d[a] = np.where(np.isnan(a), 0.0, g)
    d[q] = nanquantile_level_adjoint(d[y] / 100, a, np.true_divide(q, 100), axis, method)


@adjoint(np.nansum)
def nansum(y, a, axis=None, dtype=None, *, keepdims=False, initial=0.0, where=True):
    g = unreduce(d[y], like=a, axis=axis, keepdims=keepdims)
    d[a] = np.where(np.isnan(a) if where is True else np.isnan(a) | np.logical_not(where), 0.0, g)
    d[initial] = np.sum(d[y])


@adjoint(np.nanmean)
def nanmean(y, a, axis=None, dtype=None, *, keepdims=False, where=True):
    number = np.logical_not(np.isnan(a))
    counted = number if where is True else number & where
    n = np.sum(counted, axis, np.result_type(y), keepdims=keepdims)
    d[a] = np.where(counted, unreduce(d[y] / n, like=a, axis=axis, keepdims=keepdims), 0.0)


@adjoint(np.nanprod)
def nanprod(y, a, axis=None, dtype=None, *, keepdims=False, initial=1.0, where=True):
    number = np.logical_not(np.isnan(a))
    counted = number if where is True else number & where
    g = d[y] if axis is None or keepdims or np.ndim(a) == 0 else np.expand_dims(d[y], axis)
    factors = np.where(counted, a, 1.0)
    d[a] = np.where(counted, g * conj(initial) * conj(others(factors, axis)), 0.0)
    d[initial] = np.sum(d[y] * conj(np.prod(factors, axis, keepdims=keepdims)))


@adjoint(np.nanvar)
def nanvar(
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
    g = d[y] if axis is None or keepdims or np.ndim(a) == 0 else np.expand_dims(d[y], axis)
    number = np.logical_not(np.isnan(a))
    counted = number if where is True else number & where
    size = np.sum(counted, axis, np.result_type(y), keepdims=True)
    n = size - (ddof if correction is None else correction)
    center = np.nanmean(a, axis, keepdims=True, where=where) if mean is None else mean
    slope = 2 * g / n * np.where(counted, a - center, 0.0)  # no NaN, whoever sums slopes up
    d[a] = np.where(counted, slope, 0.0)
    d[mean] = unbroadcast(np.where(counted, -slope, 0.0), like=mean)


@adjoint(np.nanstd)
def nanstd(
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
    g = ratio if axis is None or keepdims or np.ndim(a) == 0 else np.expand_dims(ratio, axis)
    number = np.logical_not(np.isnan(a))
    counted = number if where is True else number & where
    size = np.sum(counted, axis, np.result_type(y), keepdims=True)
    n = size - (ddof if correction is None else correction)
    center = np.nanmean(a, axis, keepdims=True, where=where) if mean is None else mean
    slope = g / n * np.where(counted, a - center, 0.0)
    d[a] = np.where(counted, slope, 0.0)
    d[mean] = unbroadcast(np.where(counted, -slope, 0.0), like=mean)
