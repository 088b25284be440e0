"""Adjoints of convolution and interpolation."""

from __future__ import annotations

from typing import Any

import numpy as np

_MODES = {"valid": 0, "same": 1, "full": 2, 0: 0, 1: 1, 2: 2}
"""NumPy's numbers of the modes, which may be given in place of the words."""


def first_kept(a: Any, v: Any, mode: Any) -> int:
    """Where in `np.convolve(a, v)` the part begins that `mode` keeps."""
    shorter = min(np.size(a), np.size(v))
    return (shorter - 1, (shorter - 1) // 2, 0)[_MODES[mode]]


def full_convolution(g: Any, a: Any, v: Any, mode: Any) -> Any:
    """The adjoint of `np.convolve(a, v)` when `g` is that of its part `np.convolve(a, v, mode)`."""
    start = first_kept(a, v, mode)
    whole = np.zeros(np.size(a) + np.size(v) - 1, g.dtype)
    whole[start : start + np.size(g)] = g
    return whole


def full_correlation(g: Any, a: Any, v: Any, mode: Any) -> Any:
    """The adjoint of `np.correlate(a, v, "full")` when `g` is that of its part for `mode`.

    NumPy exchanges the operands, and so the two ends, when the second is the longer.
    """
    if np.size(a) < np.size(v):
        return full_convolution(g[::-1], a, v, mode)[::-1]
    return full_convolution(g, a, v, mode)


def _interval(x: Any, xp: Any, period: Any) -> tuple[Any, ...]:
    """For each point the nodes around it, and where it, they and all nodes lie.

    Points that are none are at the last node, or at the first.
    """
    x, xp = np.asarray(x), np.asarray(xp)
    if x.dtype.kind == "c" or xp.dtype.kind == "c":
        raise TypeError("the points of an interpolation are real numbers")
    nodes = None
    if period is not None:
        period = abs(period)
        x, xp = x % period, xp % period
        order = np.argsort(xp)
        nodes = np.concatenate([order[-1:], order, order[:1]])
        xp = np.concatenate([xp[order[-1:]] - period, xp[order], xp[order[:1]] + period])
    last = max(len(xp) - 2, 0)
    low = np.minimum(np.maximum(np.searchsorted(xp, x, "right") - 1, 0), last)
    high = low + 1 if len(xp) > 1 else low
    left, right = xp[low], xp[high]
    if nodes is not None:
        low, high = nodes[low], nodes[high]
    return low, high, x, left, right, xp


def _share(x: Any, left: Any, right: Any) -> Any:
    """The position between two nodes, from 0 to 1; NaN for a point that is NaN."""
    width = right - left
    if np.all(width > 0):
        return np.clip((x - left) / width, 0.0, 1.0)
    beyond = np.where(x >= right, 1.0, np.where(x < right, 0.0, x))  # both nodes are one
    share = np.clip((x - left) / np.where(width > 0, width, 1.0), 0.0, 1.0)
    return np.where(width > 0, share, beyond)


def _decided(x: Any, xp: Any, left: Any, right: Any, period: Any) -> Any:
    """Whether the nodes decide the value; None if they do everywhere."""
    if period is not None or left is None and right is None:
        return None
    xp = np.asarray(xp)
    replaced = np.less(x, xp[0]) & (left is not None)
    return ~(replaced | np.greater(x, xp[-1]) & (right is not None))


def interp_slope(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    """The slope of `np.interp(x, xp, fp)` in `x`; 0 outside, right-sided at the points."""
    low, high, x, before, after, xp = _interval(x, xp, period)
    inside = (x >= xp[0]) & (x <= xp[-1]) & (before < after)
    fp = np.asarray(fp)
    width = np.where(inside, after - before, 1.0)
    return np.where(inside, (fp[high] - fp[low]) / width, 0.0)[()]


def interp_values(
    fp: Any, x: Any, xp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    """`np.interp(x, xp, fp)` in the dtype of `fp`; 0 where `left` or `right` decide."""
    low, high, points, before, after, _ = _interval(x, xp, period)
    t = _share(points, before, after)
    fp = np.asarray(fp)
    decided = _decided(x, xp, left, right, period)
    values = fp[low] * (1 - t) + fp[high] * t
    return (values if decided is None else np.where(decided, values, 0.0))[()]


def interp_values_adjoint(
    g: Any, x: Any, xp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    """The adjoint of `fp` when `g` is that of `np.interp(x, xp, fp)`."""
    low, high, points, left_node, right_node, _ = _interval(x, xp, period)
    t = _share(points, left_node, right_node)
    decided = _decided(x, xp, left, right, period)
    if decided is not None:
        g = np.where(decided, g, 0.0)
    dtype = np.result_type(g, t, np.float64)
    if dtype == np.float64 and np.ndim(low) == 1:
        before, after = g * (1 - t), g * t
        return np.bincount(low, before, len(xp)) + np.bincount(high, after, len(xp))
    zeros = np.zeros(len(xp), dtype)
    np.add.at(zeros, low, g * (1 - t))
    np.add.at(zeros, high, g * t)
    return zeros
