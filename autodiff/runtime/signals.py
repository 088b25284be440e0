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


def _interval(x: Any, xp: Any) -> tuple[Any, Any, Any]:
    """The interval of each point, the position in it from 0 to 1, and whether there is one."""
    x, xp = np.asarray(x), np.asarray(xp)
    left = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, max(len(xp) - 2, 0))
    inside = (x >= xp[0]) & (x <= xp[-1]) & (len(xp) > 1)
    right = np.minimum(left + 1, len(xp) - 1)
    width = np.where(inside, xp[right] - xp[left], 1.0)
    return left, np.clip((x - xp[left]) / width, 0.0, 1.0), inside


def interp_slope(x: Any, xp: Any, fp: Any) -> Any:
    """The slope of `np.interp(x, xp, fp)` in `x`; 0 outside, right-sided at the points."""
    left, _, inside = _interval(x, xp)
    xp, fp = np.asarray(xp), np.asarray(fp)
    right = np.minimum(left + 1, len(xp) - 1)
    width = np.where(inside, xp[right] - xp[left], 1.0)
    return np.where(inside, (fp[right] - fp[left]) / width, 0.0)[()]


def interp_values_adjoint(g: Any, x: Any, xp: Any) -> Any:
    """The adjoint of `fp` when `g` is that of `np.interp(x, xp, fp)`."""
    left, t, _ = _interval(x, xp)
    zeros = np.zeros(len(xp), np.result_type(g, np.float64))
    np.add.at(zeros, left, g * (1 - t))
    np.add.at(zeros, np.minimum(left + 1, len(xp) - 1), g * t)
    return zeros
