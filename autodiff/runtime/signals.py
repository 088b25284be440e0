"""Adjoints of convolution and interpolation."""

from __future__ import annotations

from typing import Any

import numpy as np


def full_convolution(g: Any, a: Any, v: Any, mode: str) -> Any:
    """The adjoint of `np.convolve(a, v)` when `g` is that of its part `np.convolve(a, v, mode)`."""
    shorter = min(np.size(a), np.size(v))
    start = shorter - 1 if mode == "valid" else (shorter - 1) // 2
    whole = np.zeros(np.size(a) + np.size(v) - 1, g.dtype)
    whole[start : start + np.size(g)] = g
    return whole


def full_correlation(g: Any, a: Any, v: Any, mode: str) -> Any:
    """The adjoint of `np.correlate(a, v, "full")` when `g` is that of its part for `mode`.

    NumPy exchanges the operands, and so the two ends, when the second is the longer.
    """
    if np.size(a) < np.size(v):
        return full_convolution(g[::-1], a, v, mode)[::-1]
    return full_convolution(g, a, v, mode)


def _interval(x: Any, xp: Any, left: Any, right: Any, period: Any) -> tuple[Any, ...]:
    """For each point the nodes around it, its position between them from 0 to 1, their distance
    (0 where the value does not depend on it), and whether the nodes decide the value at all.
    """
    x, xp = np.asarray(x), np.asarray(xp)
    if np.iscomplexobj(x) or np.iscomplexobj(xp):
        raise TypeError("the points of an interpolation are real numbers")
    nodes = np.arange(len(xp))
    if period is not None:
        period = abs(period)
        x, xp = x % period, xp % period
        order = np.argsort(xp)
        nodes = np.concatenate([order[-1:], order, order[:1]])
        xp = np.concatenate([xp[order[-1:]] - period, xp[order], xp[order[:1]] + period])
    low = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, max(len(xp) - 2, 0))
    high = np.minimum(low + 1, len(xp) - 1)
    inside = (x >= xp[0]) & (x <= xp[-1]) & (len(xp) > 1)
    width = np.where(inside, xp[high] - xp[low], 1.0)
    t = np.where(x > xp[-1], 1.0, np.clip((x - xp[low]) / width, 0.0, 1.0))
    replaced = np.zeros(x.shape, bool)
    if period is None:
        replaced |= (x < xp[0]) & (left is not None)
        replaced |= (x > xp[-1]) & (right is not None)
    return nodes[low], nodes[high], t, np.where(inside, width, 0.0), ~replaced


def interp_slope(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    """The slope of `np.interp(x, xp, fp)` in `x`; 0 outside, right-sided at the points."""
    low, high, _, width, _ = _interval(x, xp, left, right, period)
    fp = np.asarray(fp)
    return np.where(width > 0, (fp[high] - fp[low]) / np.where(width > 0, width, 1.0), 0.0)[()]


def interp_values(
    fp: Any, x: Any, xp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    """`np.interp(x, xp, fp)` in the dtype of `fp`; 0 where `left` or `right` decide."""
    low, high, t, _, decided = _interval(x, xp, left, right, period)
    fp = np.asarray(fp)
    return np.where(decided, fp[low] * (1 - t) + fp[high] * t, 0.0)[()]


def interp_values_adjoint(
    g: Any, x: Any, xp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    """The adjoint of `fp` when `g` is that of `np.interp(x, xp, fp)`."""
    low, high, t, _, decided = _interval(x, xp, left, right, period)
    g = np.where(decided, g, 0.0)
    zeros = np.zeros(len(xp), np.result_type(g, t, np.float64))
    np.add.at(zeros, low, g * (1 - t))
    np.add.at(zeros, high, g * t)
    return zeros
