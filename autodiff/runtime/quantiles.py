"""Adjoints of quantiles."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.broadcasting import Axis, dtype_of_adjoint
from autodiff.runtime.extrema import axes_last


def quantile_adjoint(g: Any, x: Any, q: Any, axis: Axis = None, method: str = "linear") -> Any:
    """The adjoint of `x` when `g` is that of `np.quantile(x, q, axis, method=method)`.

    >>> quantile_adjoint(1.0, np.array([3.0, 1.0, 2.0, 9.0]), 0.5)
    array([0.5, 0. , 0.5, 0. ])
    """
    if method == "linear" and np.ndim(q) == 0 and (axis is None or np.ndim(x) == 1):
        return _whole_quantile_adjoint(g, np.asarray(x), q)
    rows, axes, last, form = _rows(x, axis)
    low, share = _position(rows.shape[-1], q, method)
    order = np.argsort(rows, axis=-1, kind="stable")
    result = np.zeros(rows.shape, dtype_of_adjoint(g, x))
    places = tuple(np.indices(rows.shape[:-1]))
    for part, k, t in zip(np.reshape(g, (-1, *rows.shape[:-1])), low, share):
        result[places + (order[..., k],)] += part * (1 - t)
        if t > 0:
            result[places + (order[..., k + 1],)] += part * t
    return np.moveaxis(result.reshape(form), last, axes)


def _whole_quantile_adjoint(g: Any, x: Any, q: Any) -> Any:
    """The adjoint of `x` when `g`, one number, is that of one quantile of all its elements."""
    result = np.zeros(x.size, dtype_of_adjoint(g, x))
    if x.size:
        at = (x.size - 1) * q
        low = int(at)
        order = x.argsort(axis=None, kind="stable")
        if low == at:
            result[order[low]] = _only(g)
        else:
            result[order[low]] = _only(g) * (1 - (at - low))
            result[order[low + 1]] = _only(g) * (at - low)
    return result.reshape(x.shape)


def _only(g: Any) -> Any:
    """The one number that an array holds, or the number."""
    return g.item() if isinstance(g, np.ndarray) else g


def weighted_quantile_adjoint(g: Any, y: Any, x: Any, axis: Axis = None) -> Any:
    """The adjoint of `x` when `g` is that of `y = np.quantile(x, q, axis, weights=...)`.

    Such a quantile is one of the elements; equal ones share.
    """
    shares = quantile_shares(y, x, axis)
    return np.sum(np.reshape(g, level_shape(x, axis)) * shares, axis=0)


def quantile_shares(y: Any, x: Any, axis: Axis) -> Any:
    """For each level the share of each element of `x` in the quantile `y`, one of them."""
    x, form = np.asarray(x), level_shape(x, axis)
    chosen = np.equal(x, np.reshape(y, form))
    over = tuple(k for k in range(1, len(form)) if form[k] == 1)
    counts = np.sum(chosen, axis=over, keepdims=True)
    return (chosen / np.maximum(counts, 1)).astype(dtype_of_adjoint(y, x))


def level_shape(x: Any, axis: Axis) -> tuple[int, ...]:
    """The shape of quantiles: one axis for the levels, and those of `x`, reduced to 1."""
    shape = np.shape(x)
    axes = range(len(shape)) if axis is None else np.atleast_1d(axis) % len(shape)
    return (-1, *(1 if k in axes else n for k, n in enumerate(shape)))


def nanquantile_adjoint(g: Any, x: Any, q: Any, axis: Axis = None, method: str = "linear") -> Any:
    """The adjoint of `x` when `g` is that of `np.nanquantile(x, q, axis, method=method)`."""
    rows, axes, last, form = _rows(x, axis)
    result = np.zeros(rows.shape, dtype_of_adjoint(g, x))
    parts = np.reshape(g, (-1, *rows.shape[:-1]))
    for place in np.ndindex(*rows.shape[:-1]):
        counted = ~np.isnan(rows[place])
        if counted.any():
            each = parts[(slice(None),) + place]
            result[place][counted] = quantile_adjoint(each, rows[place][counted], q, None, method)
    return np.moveaxis(result.reshape(form), last, axes)


def nanquantile_level_adjoint(
    g: Any, x: Any, q: Any, axis: Axis = None, method: str = "linear", by: Any = None
) -> Any:
    """The adjoint of the level `q` when `g` is that of `np.nanquantile(x, q, axis, method=...)`.

    by: the array that says the order of the elements, and which are NaN, `x` itself if it is None.
    """
    rows = _flat_rows(x, axis)
    guides = rows if by is None else _flat_rows(by, axis)
    parts = np.reshape(g, (-1, len(rows)))
    result = np.zeros(np.shape(q), dtype_of_adjoint(g, x))
    for k in range(len(rows)):
        counted = ~np.isnan(guides[k])
        if counted.any():
            each = np.reshape(parts[:, k], np.shape(q))
            row, guide = rows[k][counted], guides[k][counted]
            result += quantile_level_adjoint(each, row, q, None, method, guide)
    return result[()]


def _flat_rows(x: Any, axis: Axis) -> Any:
    """The rows of `_rows`, one after the other."""
    rows = _rows(x, axis)[0]
    count = np.shape(rows)[-1]
    return np.reshape(rows, (np.size(rows) // max(count, 1), count))


def quantile_change(x_dot: Any, x: Any, q: Any, axis: Axis = None, method: str = "linear") -> Any:
    """By how much `np.quantile(x, q, axis, method=method)` changes when `x` changes by `x_dot`.

    One row of results for each level.
    """
    rows, *_ = _rows(x, axis)
    low, share = _position(rows.shape[-1], q, method)
    order = np.argsort(rows, axis=-1, kind="stable")
    moved = np.take_along_axis(_rows(x_dot, axis)[0], order, -1)
    after = np.minimum(low + 1, rows.shape[-1] - 1)
    share = share.astype(dtype_of_adjoint(x_dot, x_dot))
    return np.moveaxis(moved[..., low] * (1 - share) + moved[..., after] * share, -1, 0)


def nanquantile_change(
    x_dot: Any, x: Any, q: Any, axis: Axis = None, method: str = "linear"
) -> Any:
    """By how much `np.nanquantile(x, q, axis, method=method)` changes, as `quantile_change`."""
    rows, *_ = _rows(x, axis)
    moved, *_ = _rows(x_dot, axis)
    result = np.zeros((np.size(q), *rows.shape[:-1]), dtype_of_adjoint(x_dot, x_dot))
    for place in np.ndindex(*rows.shape[:-1]):
        counted = ~np.isnan(rows[place])
        if counted.any():
            own, change = rows[place][counted], moved[place][counted]
            result[(slice(None),) + place] = quantile_change(change, own, q, None, method)
    return result


def quantile_level_adjoint(
    g: Any, x: Any, q: Any, axis: Axis = None, method: str = "linear", by: Any = None
) -> Any:
    """The adjoint of the level `q`: what the quantile gains from one element to the next.

    by: the array that says the order of the elements, `x` itself if it is None.
    """
    rows = _rows(x, axis)[0]
    order = np.argsort(rows if by is None else _rows(by, axis)[0], axis=-1, kind="stable")
    ordered = np.take_along_axis(rows, order, -1)
    count = np.shape(rows)[-1]
    result = np.zeros(np.size(q), dtype_of_adjoint(g, x))
    growth = _GROWTH.get(method)  # by how much a level moves the place; the others jump
    if growth is not None and count > 1:
        parts = np.reshape(g, (-1, *np.shape(rows)[:-1]))
        low, share = _position(count, q, method)
        for at in range(len(low)):
            if share[at] > 0 or method == "linear" or 0 < low[at] < count - 1:  # not past the ends
                k = min(low[at], count - 2)
                step = ordered[..., k + 1] - ordered[..., k]
                result[at] = np.sum(parts[at] * step) * (count + growth)
    return np.reshape(result, np.shape(q))[()]


_GROWTH = {
    "linear": -1,
    "interpolated_inverted_cdf": 0,
    "hazen": 0,
    "weibull": 1,
    "median_unbiased": 1 / 3,
    "normal_unbiased": 1 / 4,
}


def _position(count: int, q: Any, method: str) -> tuple[Any, Any]:
    """The element below each level, counted in order, and the share of the element after it.

    NumPy says what a method means: the quantile of 0, 1, 2 ... is the place between them.
    """
    if method == "linear":
        at = np.ravel((count - 1) * np.asarray(q, float))
    else:
        places = np.arange(count, dtype=float)
        at = np.ravel(np.quantile(places, q, method=method))  # type: ignore[call-overload]
    low = np.clip(np.floor(at), 0, count - 1).astype(int)
    return low, at - low


def _rows(x: Any, axis: Axis) -> tuple[Any, tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """`x` with the axes that are reduced as one last axis; and how to go back."""
    x = np.asarray(x)
    rank = np.ndim(x)
    axes, last = axes_last(rank, tuple(range(rank)) if axis is None else axis)
    moved = np.moveaxis(x, axes, last)
    flat = np.reshape(moved, (*np.shape(moved)[: rank - len(axes)], -1))
    return flat, axes, last, np.shape(moved)
