"""Order statistics, and reductions that leave NaN out."""

import numpy as np

from autodiff.rules import adjoint, d, linear
from autodiff.runtime import others, quantile_adjoint, undiff


@adjoint(np.median)
def median(y, a, axis=None, *, keepdims=False):
    d[a] = quantile_adjoint(d[y], a, 0.5, axis)


@adjoint(np.quantile)
def quantile(y, a, q, axis=None, *, keepdims=False):
    d[a] = quantile_adjoint(d[y], a, q, axis)


@adjoint(np.percentile)
def percentile(y, a, q, axis=None, *, keepdims=False):
    d[a] = quantile_adjoint(d[y], a, np.true_divide(q, 100), axis)


@adjoint(np.nanprod)
def nanprod(y, a, axis=None, *, keepdims=False):
    g = d[y] if axis is None or keepdims else np.expand_dims(d[y], axis)
    d[a] = np.where(np.isnan(a), 0.0, g * others(np.where(np.isnan(a), 1.0, a), axis))


@adjoint(np.nanvar)
def nanvar(y, a, axis=None, *, ddof=0, keepdims=False):
    g = d[y] if axis is None or keepdims else np.expand_dims(d[y], axis)
    n = np.sum(~np.isnan(a), axis=axis, dtype=np.result_type(a), keepdims=True) - ddof
    deviation = a - np.nanmean(a, axis=axis, keepdims=True)
    d[a] = np.where(np.isnan(a), 0.0, 2 * g / n * deviation)


@adjoint(np.nanstd)
def nanstd(y, a, axis=None, *, ddof=0, keepdims=False):
    slope = d[y] / np.where(y == 0, 1.0, y)
    g = slope if axis is None or keepdims else np.expand_dims(slope, axis)
    n = np.sum(~np.isnan(a), axis=axis, dtype=np.result_type(a), keepdims=True) - ddof
    deviation = a - np.nanmean(a, axis=axis, keepdims=True)
    d[a] = np.where(np.isnan(a), 0.0, g / n * deviation)


@linear(np.nancumsum)
def nancumsum(y, a, axis=None):
    back = (
        np.reshape(np.cumsum(d[y][::-1])[::-1], np.shape(a))
        if axis is None
        else np.flip(np.cumsum(np.flip(d[y], axis), axis), axis)
    )
    d[a] = np.where(np.isnan(a), 0.0, back)


@linear(np.ediff1d)
def ediff1d(y, ary):
    d[ary] = np.reshape(undiff(d[y], 1, 0), np.shape(ary))


if hasattr(np, "cumulative_sum"):  # NumPy 2.1

    @linear(np.cumulative_sum)
    def cumulative_sum(y, x, *, axis=None):
        d[x] = (
            np.cumsum(d[y][::-1])[::-1]
            if np.ndim(x) == 1
            else np.flip(np.cumsum(np.flip(d[y], axis), axis), axis)
        )
