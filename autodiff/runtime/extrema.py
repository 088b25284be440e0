"""Adjoints of products and extrema, where elements compete."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.broadcasting import Axis, dtype_of_adjoint


def winners(x: Any, best: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """The share of each element of `x` in the extremum `best` over `axis`: ties share equally.

    >>> winners(np.array([3.0, 1.0, 3.0]), 3.0)
    array([0.5, 0. , 0.5])
    """
    x = np.asarray(x)
    if axis is not None and axis != 0 and x.ndim and not keepdims:  # axis 0 broadcasts as it is
        best = np.expand_dims(best, axis)
    wins = np.equal(x, best)
    counts = wins.sum(axis=axis, keepdims=True)
    shares = wins.astype(x.dtype if x.dtype.kind in "fc" else dtype_of_adjoint(x, x))
    if counts.max(initial=0) > 1:
        shares /= np.maximum(counts, 1)
    return shares


def initial_share(x: Any, best: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """1 where no element of `x` is the extremum `best`, so that it is the initial value; else 0."""
    if axis is not None and not keepdims and np.ndim(x):
        best = np.expand_dims(best, axis)
    return np.asarray(~np.any(np.equal(x, best), axis=axis, keepdims=keepdims)).astype(float)


def others(x: Any, axis: Axis = None) -> Any:
    """For each element of `x`, the product of all the others over `axis`; right with zeros too.

    >>> others(np.array([2.0, 0.0, 5.0]))
    array([ 0., 10.,  0.])
    """
    x = np.asarray(x)
    if np.ndim(x) == 0:
        return np.ones_like(x)
    if axis is None:
        return np.reshape(_others_along(np.ravel(x), 0), np.shape(x))
    if isinstance(axis, int):
        return _others_along(x, axis)
    axes, last = axes_last(np.ndim(x), axis)
    if len(axes) == 0:
        return np.ones_like(x)
    moved = np.moveaxis(x, axes, last)
    flat = np.reshape(moved, (*np.shape(moved)[: last[0]], -1))
    return np.moveaxis(np.reshape(_others_along(flat, -1), np.shape(moved)), last, axes)


def axes_last(ndim: int, axis: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Axes in order, counted from the front, and those that they are when they are moved last."""
    axes = tuple(sorted(k % ndim for k in ((axis,) if isinstance(axis, int) else axis)))
    return axes, tuple(range(ndim - len(axes), ndim))


def _others_along(x: Any, axis: int) -> Any:
    x = np.swapaxes(x, axis, 0)
    one = np.ones_like(x[:1])
    before = np.concatenate([one, np.multiply.accumulate(x[:-1])])
    after = np.concatenate([one, np.multiply.accumulate(x[:0:-1])])[::-1]
    return np.swapaxes(before * after, 0, axis)


def share(g: Any, candidates: Any, best: Any) -> Any:
    """The adjoints of the items that `max` or `min` compared: those equal to `best` share `g`."""
    each = g / ties(candidates, best)
    if isinstance(candidates, np.ndarray):
        return np.where(candidates == best, each, 0.0)
    return [each if item == best else 0.0 for item in candidates]


def ties(candidates: Any, best: Any) -> int:
    """How many items are the best."""
    return sum(1 for item in candidates if item == best)
