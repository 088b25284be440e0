"""Sums, moments and extrema, whole and along axes; norms; what runs along an axis."""

from __future__ import annotations

import numpy as np
from scipy import special

from tests.benchmarks.workload import Workload, pair


def sum_of_all(x, w):
    return np.sum(x) * w


def sum_of_all_by_hand(x, w):
    return np.full_like(x, w)


def sum_kept(x, w):
    return np.sum(x / np.sum(x, axis=1, keepdims=True) * w)


def sum_kept_by_hand(x, w):
    total = np.sum(x, axis=1, keepdims=True)
    return w / total - np.sum(w * x, axis=1, keepdims=True) / total**2


def sum_over_two_axes(x, w):
    return np.sum(np.sum(x, axis=(0, 1)) * w)


def sum_over_two_axes_by_hand(x, w):
    return np.full_like(x, w)


def mean_of_all(x, w):
    return np.mean(x) * w


def mean_of_all_by_hand(x, w):
    return np.full_like(x, w / x.size)


def centred(x, w):
    return np.sum((x - np.mean(x, axis=0)) * w)


def centred_by_hand(x, w):
    return w - np.mean(w, axis=0)


def variance(x, w):
    return np.var(x) * w


def variance_by_hand(x, w):
    return 2 * w / x.size * (x - np.mean(x))


def variance_of_columns(x, w):
    return np.sum(np.var(x, axis=0) * w)


def variance_of_columns_by_hand(x, w):
    return 2 / len(x) * w * (x - np.mean(x, axis=0))


def deviation_of_columns(x, w):
    return np.sum(np.std(x, axis=0) * w)


def deviation_of_columns_by_hand(x, w):
    y = np.std(x, axis=0)
    return w / np.where(y == 0, 1, y) / len(x) * (x - np.mean(x, axis=0))


def maximum_of_all(x, w):
    return np.max(x) * w


def maximum_of_all_by_hand(x, w):
    best = x == np.max(x)
    return best * (w / np.count_nonzero(best))


def minimum_of_rows(x, w):
    return np.sum(np.min(x, axis=1) * w)


def minimum_of_rows_by_hand(x, w):
    best = x == np.min(x, axis=1, keepdims=True)
    return best * (w / np.sum(best, axis=1))[:, None]


def product_of_rows(x, w):
    return np.sum(np.prod(x, axis=1) * w)


def product_of_rows_by_hand(x, w):
    """Also where elements are zero: products of what is before and after."""
    ones = np.ones((len(x), 1))
    before = np.cumprod(np.concatenate([ones, x[:, :-1]], axis=1), axis=1)
    after = np.cumprod(np.concatenate([ones, x[:, :0:-1]], axis=1), axis=1)[:, ::-1]
    return w[:, None] * before * after


def norm(x, w):
    return np.linalg.norm(x) * w


def norm_by_hand(x, w):
    y = np.linalg.norm(x)
    return w / (1 if y == 0 else y) * x


def norm_of_rows(x, w):
    return np.sum(np.linalg.norm(x, axis=1) * w)


def norm_of_rows_by_hand(x, w):
    y = np.linalg.norm(x, axis=1)
    return (w / np.where(y == 0, 1, y))[:, None] * x


def softmax(x, w):
    return np.sum(special.softmax(x, axis=1) * w)


def softmax_by_hand(x, w):
    y = special.softmax(x, axis=1)
    return y * (w - np.sum(w * y, axis=1, keepdims=True))


def cumsum_of_rows(x, w):
    return np.sum(np.cumsum(x, axis=1) * w)


def cumsum_of_rows_by_hand(x, w):
    return np.cumsum(w[:, ::-1], axis=1)[:, ::-1].copy()


def cumprod(x, w):
    return np.sum(np.cumprod(x) * w)


def cumprod_by_hand(x, w):
    return np.cumsum((w * np.cumprod(x))[::-1])[::-1] / x


def diff(x, w):
    return np.sum(np.diff(x) * w[1:])


def diff_by_hand(x, w):
    x_bar = np.empty_like(x)
    x_bar[0] = -w[1]
    x_bar[1:-1] = w[1:-1] - w[2:]
    x_bar[-1] = w[-1]
    return x_bar


def trapezoid(x, w):
    return np.trapezoid(x, dx=0.1) * w


def trapezoid_by_hand(x, w):
    x_bar = np.full_like(x, 0.1 * w)
    x_bar[0] *= 0.5
    x_bar[-1] *= 0.5
    return x_bar


def gradient(x, w):
    return np.sum(np.gradient(x) * w)


def gradient_by_hand(x, w):
    x_bar = np.zeros_like(x)
    half = 0.5 * w[1:-1]
    x_bar[2:] += half
    x_bar[:-2] -= half
    x_bar[0] -= w[0]
    x_bar[1] += w[0]
    x_bar[-2] -= w[-1]
    x_bar[-1] += w[-1]
    return x_bar


def interpolated(x, xp, fp, w):
    return np.sum(np.interp(x, xp, fp) * w)


def interpolated_by_hand(x, xp, fp, w):
    k = np.clip(np.searchsorted(xp, x, "right") - 1, 0, len(xp) - 2)
    h = xp[k + 1] - xp[k]
    inside = (x >= xp[0]) & (x <= xp[-1])
    return np.where(inside, w * (fp[k + 1] - fp[k]) / h, 0.0)


def interpolated_values(fp, x, xp, w):
    return np.sum(np.interp(x, xp, fp) * w)


def interpolated_values_by_hand(fp, x, xp, w):
    k = np.clip(np.searchsorted(xp, x, "right") - 1, 0, len(xp) - 2)
    t = np.clip((x - xp[k]) / (xp[k + 1] - xp[k]), 0, 1)
    n = len(fp)
    return np.bincount(k, w * (1 - t), n) + np.bincount(k + 1, w * t, n)


def median(x, w):
    return np.median(x) * w


def median_by_hand(x, w):
    x_bar = np.zeros_like(x)
    n = len(x)
    at = np.argsort(x, kind="stable")
    x_bar[at[(n - 1) // 2]] += 0.5 * w
    x_bar[at[n // 2]] += 0.5 * w
    return x_bar


def sort(x, w):
    return np.sum(np.sort(x) * w)


def sort_by_hand(x, w):
    x_bar = np.empty_like(x)
    x_bar[np.argsort(x)] = w
    return x_bar


def cases(n: int) -> list[Workload]:
    """Arrays of `n` positive numbers; tables of 10 columns, or of 5."""
    rng = np.random.default_rng(n)
    x, w = rng.uniform(0.5, 1.5, (2, n))
    columns = 10 if n >= 100 else 5
    table, weights = rng.uniform(0.5, 1.5, (2, n // columns, columns))
    of_rows, of_columns = weights[:, 0].copy(), weights[0].copy()
    points = np.sort(rng.uniform(0, 1, n))
    few = rng.uniform(0, 1, n)
    return [
        *(pair(f, "x", table, 0.7) for f in (sum_of_all, mean_of_all, maximum_of_all, variance)),
        *(pair(f, "x", table, weights) for f in (sum_kept, centred, softmax, cumsum_of_rows)),
        pair(sum_over_two_axes, "x", table, 0.7),
        *(pair(f, "x", table, of_columns) for f in (variance_of_columns, deviation_of_columns)),
        *(pair(f, "x", table, of_rows) for f in (minimum_of_rows, product_of_rows, norm_of_rows)),
        *(pair(f, "x", x, 0.7) for f in (norm, trapezoid, median)),
        *(pair(f, "x", x, w) for f in (diff, gradient, sort)),
        pair(cumprod, "x", rng.uniform(0.99, 1.01, n), w),
        pair(interpolated, "x", few, points, x, w),
        pair(interpolated_values, "fp", x, few, points, w),
    ]
