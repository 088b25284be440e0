"""Bottleneck's functions, which give what NumPy's do, or what is found in windows that move."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import bottleneck as bn
import numpy as np

from autodiff.rules import registry


def nanmean(a, axis=None):
    return np.nanmean(a, axis=axis)


def nansum(a, axis=None):
    return np.nansum(a, axis=axis)


def nanstd(a, axis=None, ddof=0):
    return np.nanstd(a, axis=axis, ddof=ddof)


def nanvar(a, axis=None, ddof=0):
    return np.nanvar(a, axis=axis, ddof=ddof)


def nanmin(a, axis=None):
    return np.nanmin(a, axis=axis)


def nanmax(a, axis=None):
    return np.nanmax(a, axis=axis)


def nanmedian(a, axis=None):
    return np.nanmedian(a, axis=axis)


def median(a, axis=None):
    return np.median(a, axis=axis)


def ss(a, axis=None):
    """The sum of squares."""
    return np.sum(np.asarray(a) ** 2, axis=axis)


def windows(a, window, axis):
    """The last `window` elements at each place, NaN for those before the first."""
    x = np.moveaxis(np.asarray(a), axis, -1)
    before = np.full((*x.shape[:-1], window - 1), np.nan)
    whole = np.concatenate((before, x), axis=-1)
    return whole[..., np.arange(x.shape[-1])[:, None] + np.arange(window)]


def where_enough(found, seen, window, min_count, axis):
    """NaN where there are fewer numbers in a window than asked for."""
    least = window if min_count is None else min_count
    enough = np.sum(~np.isnan(seen), axis=-1) >= least
    return np.moveaxis(np.where(enough, found, np.nan), -1, axis)


def move_sum(a, window, min_count=None, axis=-1):
    seen = windows(a, window, axis)
    found = np.sum(np.where(np.isnan(seen), 0.0, seen), axis=-1)
    return where_enough(found, seen, window, min_count, axis)


def move_mean(a, window, min_count=None, axis=-1):
    seen = windows(a, window, axis)
    count = np.maximum(np.sum(~np.isnan(seen), axis=-1), 1)
    found = np.sum(np.where(np.isnan(seen), 0.0, seen), axis=-1) / count
    return where_enough(found, seen, window, min_count, axis)


def move_var(a, window, min_count=None, axis=-1, ddof=0):
    seen = windows(a, window, axis)
    there = ~np.isnan(seen)
    count = np.sum(there, axis=-1)
    mean = np.sum(np.where(there, seen, 0.0), axis=-1) / np.maximum(count, 1)
    away = np.where(there, seen - mean[..., None], 0.0)
    left = count - ddof
    found = np.sum(away**2, axis=-1) / np.where(left > 0, left, 1)
    return where_enough(np.where(left > 0, found, np.nan), seen, window, min_count, axis)


def move_std(a, window, min_count=None, axis=-1, ddof=0):
    return np.sqrt(move_var(a, window, min_count, axis, ddof))


def move_max(a, window, min_count=None, axis=-1):
    seen = windows(a, window, axis)
    found = np.max(np.where(np.isnan(seen), -np.inf, seen), axis=-1)
    return where_enough(found, seen, window, min_count, axis)


def move_min(a, window, min_count=None, axis=-1):
    seen = windows(a, window, axis)
    found = np.min(np.where(np.isnan(seen), np.inf, seen), axis=-1)
    return where_enough(found, seen, window, min_count, axis)


WRITTEN = (
    *(nanmean, nansum, nanstd, nanvar, nanmin, nanmax, nanmedian, median, ss),
    *(move_sum, move_mean, move_var, move_std, move_max, move_min),
)
registry.add_written({getattr(bn, own.__name__): own for own in WRITTEN})
