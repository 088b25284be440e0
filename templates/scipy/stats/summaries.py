"""Statistics of samples in plain Python, which is inlined in place of SciPy's own.

SciPy wraps these functions in code that looks at NaN and at other array libraries.
"""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from autodiff.rules import registry


def zscore(a, axis=0, ddof=0):
    """`stats.zscore`; what is constant has none."""
    x = np.asarray(a)
    constant = np.max(x, axis=axis, keepdims=True) == np.min(x, axis=axis, keepdims=True)
    centred = x - np.mean(x, axis=axis, keepdims=True)
    return np.where(constant, np.nan, centred / np.std(x, axis=axis, ddof=ddof, keepdims=True))


def gmean(a, axis=0, *, weights=None):
    """`stats.gmean`."""
    return np.exp(np.average(np.log(np.asarray(a)), axis=axis, weights=weights))


def gstd(a, axis=0, ddof=1):
    """`stats.gstd`."""
    return np.exp(np.std(np.log(np.asarray(a)), axis=axis, ddof=ddof))


def hmean(a, axis=0, *, weights=None):
    """`stats.hmean`, which is NaN where a value is negative."""
    x = np.asarray(a)
    mean = 1 / np.average(1 / x, axis=axis, weights=weights)
    return np.where(np.any(x < 0, axis=axis), np.nan, mean)


def sem(a, axis=0, ddof=1):
    """`stats.sem`."""
    x = np.asarray(a)
    count = np.size(x) if axis is None else np.shape(x)[axis]
    return np.std(x, axis=axis, ddof=ddof) / count**0.5


def variation(a, axis=0):
    """`stats.variation`."""
    x = np.asarray(a)
    return np.std(x, axis=axis) / np.mean(x, axis=axis)


def skew(a, axis=0, bias=True):
    """`stats.skew`; what is constant has none."""
    x = np.asarray(a)
    mean = np.mean(x, axis=axis, keepdims=True)
    centred = x - mean
    second = np.mean(centred**2, axis=axis)
    constant = second <= (np.finfo(second.dtype).eps * np.squeeze(mean, axis=axis)) ** 2
    found = np.where(constant, np.nan, np.mean(centred**3, axis=axis) / second**1.5)
    count = np.size(x) if axis is None else np.shape(x)[axis]
    if not bias and count > 2:
        found = found * (((count - 1.0) * count) ** 0.5 / (count - 2.0))
    return found


def kurtosis(a, axis=0, fisher=True, bias=True):
    """`stats.kurtosis`; what is constant has none."""
    x = np.asarray(a)
    mean = np.mean(x, axis=axis, keepdims=True)
    centred = x - mean
    second = np.mean(centred**2, axis=axis)
    constant = second <= (np.finfo(second.dtype).eps * np.squeeze(mean, axis=axis)) ** 2
    found = np.where(constant, np.nan, np.mean(centred**4, axis=axis) / second**2)
    n = np.size(x) if axis is None else np.shape(x)[axis]
    if not bias and n > 3:
        found = ((n**2 - 1.0) * found - 3 * (n - 1.0) ** 2) / ((n - 2) * (n - 3)) + 3.0
    return found - 3 if fisher else found


def entropy(pk, qk=None, base=None, axis=0):
    """`stats.entropy`, of one distribution or relative to another."""
    p = np.asarray(pk)
    p = p / np.sum(p, axis=axis, keepdims=True)
    if qk is None:
        terms = special.entr(p)
    else:
        q = np.asarray(qk)
        terms = special.rel_entr(p, q / np.sum(q, axis=axis, keepdims=True))
    total = np.sum(terms, axis=axis)
    return total if base is None else total / np.log(base)


def trim_mean(a, proportiontocut, axis=0):
    """`stats.trim_mean`."""
    x = np.ravel(a) if axis is None else np.moveaxis(np.asarray(a), axis, 0)
    cut = int(proportiontocut * len(x))
    return np.mean(np.sort(x, axis=0)[cut : len(x) - cut], axis=0)


registry.add_written(
    {
        stats.zscore: zscore,
        stats.gmean: gmean,
        stats.gstd: gstd,
        stats.hmean: hmean,
        stats.sem: sem,
        stats.variation: variation,
        stats.skew: skew,
        stats.kurtosis: kurtosis,
        stats.entropy: entropy,
        stats.trim_mean: trim_mean,
    }
)
