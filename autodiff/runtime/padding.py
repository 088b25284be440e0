"""Adjoints of `np.pad`."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.broadcasting import dtype_of_adjoint, fit
from autodiff.runtime.extrema import winners
from autodiff.runtime.quantiles import quantile_adjoint, quantile_change
from autodiff.runtime.rearranging import scatter_flat

_CHOOSING = ("reflect", "symmetric", "wrap")
_LINEAR = ("edge", "mean", "linear_ramp")
"""Modes in which the adjoint needs no values."""
_BY_ORDER = ("median", "maximum", "minimum")
_OF_A_WINDOW = ("mean", *_BY_ORDER)


def pad_adjoint(g: Any, like: Any, pad_width: Any, mode: str, stat_length: Any = None) -> Any:
    """The adjoint of `like` when `g` is that of `np.pad(like, pad_width, mode)`: a new array."""
    shape = np.shape(like)
    widths = _pairs(pad_width, len(shape))
    if mode in ("constant", "empty") or not shape:
        inside = tuple(slice(before, before + n) for (before, _), n in zip(widths, shape))
        return np.array(g[inside])
    if mode in _CHOOSING:
        places = np.arange(np.size(like)).reshape(shape)
        return scatter_flat(g, like, np.pad(places, widths, mode))  # type: ignore[call-overload]
    lengths = _pairs(stat_length, len(shape)) if stat_length is not None else [None] * len(shape)
    g = np.asarray(g, dtype_of_adjoint(g, like))
    for axis in range(len(shape) - 1, -1, -1):  # NumPy pads one axis after the other
        before, after = widths[axis]
        options: Any = {} if stat_length is None else {"stat_length": lengths}
        earlier = [pair if k < axis else (0, 0) for k, pair in enumerate(widths)]
        x: Any = like if mode in _LINEAR else _padded(like, earlier, mode, options)
        rows = g.swapaxes(axis, 0)
        end = len(rows) - after
        inner = rows[before:end].copy()
        x = np.asarray(x).swapaxes(axis, 0)
        for first, part in ((True, rows[:before]), (False, rows[end:])):
            _gather(inner, part, x, first, mode, lengths[axis])
        g = inner.swapaxes(0, axis)
    return g


def edges_adjoint(g: Any, like: Any, width: int) -> Any:
    """The adjoint of the vector `like` when `g` is that of `np.pad(like, width, mode="edge")`."""
    inner = g[width:-width].copy() if width else g.copy()
    if inner.dtype is not like.dtype:  # what `astype` decides for equal ones costs little
        inner = inner.astype(dtype_of_adjoint(g, like), copy=False)
    if width:
        inner[0] += np.sum(g[:width])
        inner[-1] += np.sum(g[-width:])
    return inner


def _padded(like: Any, widths: Any, mode: Any, options: Any) -> Any:
    return np.pad(like, widths, mode, **options)


def _gather(inner: Any, part: Any, x: Any, first: bool, mode: str, lengths: Any) -> None:
    """Add the adjoint of what was padded on one side to that of the rows inside."""
    n = len(inner)
    if not len(part):
        return
    if mode == "edge":
        inner[0 if first else -1] += part.sum(axis=0)
        return
    if mode == "linear_ramp":
        shares = _ramp(len(part), first).reshape((-1,) + (1,) * (part.ndim - 1))
        inner[0 if first else -1] += np.sum(part * shares, axis=0)
        return
    if mode not in _OF_A_WINDOW:
        raise NotImplementedError(f"np.pad with mode={mode!r} has no derivative rule")
    count = n if lengths is None else min(lengths[0 if first else 1], n)
    window = slice(0, count) if first else slice(n - count, n)
    total = np.sum(part, axis=0)
    if mode == "mean":
        inner[window] += total / count
    elif mode == "median":
        inner[window] += quantile_adjoint(total, x[window], 0.5, 0)
    else:
        best = (np.max if mode == "maximum" else np.min)(x[window], axis=0)
        inner[window] += total * winners(x[window], best, 0)


def _ramp(count: int, first: bool) -> Any:
    """The share of the edge in each element of a ramp."""
    shares = np.arange(count) / count
    return shares if first else shares[::-1]


def pad_values_adjoint(g: Any, like: Any, pad_width: Any, mode: str, values: Any) -> Any:
    """The adjoint of `constant_values` or `end_values`, whichever the mode reads."""
    shape = np.shape(like)
    widths = _pairs(pad_width, len(shape))
    found = np.zeros((len(shape), 2), np.result_type(g))
    for axis in range(len(shape) - 1, -1, -1):
        before, after = widths[axis]
        rows = np.moveaxis(g, axis, 0)
        end = len(rows) - after
        inner = rows[before:end].copy()
        for first, part in ((True, rows[:before]), (False, rows[end:])):
            shares = np.zeros(len(part))
            if mode == "linear_ramp" and len(part):
                shares = _ramp(len(part), first)
                inner[0 if first else -1] += np.sum(part * _along(shares, part), axis=0)
            found[axis, 0 if first else 1] = np.sum(part * _along(1 - shares, part))
        g = np.moveaxis(inner, 0, axis)
    return fit(found, np.shape(values))[()]


def odd_pad_adjoint(g: Any, like: Any, pad_width: Any, mode: str) -> Any:
    """The adjoint of `like` when `g` is that of `np.pad(like, ..., reflect_type="odd")`, for the
    modes "reflect" and "symmetric": a new array.
    """
    shape = np.shape(like)
    g = np.asarray(g, dtype_of_adjoint(g, like))
    for axis, (before, after) in enumerate(_pairs(pad_width, len(shape))):
        rows, n = g.swapaxes(axis, 0), shape[axis]
        own = 0 if mode == "symmetric" else 1  # whether the edge itself is repeated
        if max(before, after) > n - own:  # reflected more than once
            both: Any = ((before, after), (0, 0)), mode
            weights = np.pad(np.eye(n), *both, reflect_type="odd")
            inner = np.tensordot(weights.astype(g.dtype), rows, (0, 0))
        else:
            inner = rows[before : before + n].copy()
            if before:
                inner[0] += 2 * np.sum(rows[:before], axis=0)
                inner[own : own + before] -= rows[:before][::-1]
            if after:
                inner[-1] += 2 * np.sum(rows[before + n :], axis=0)
                inner[n - own - after : n - own] -= rows[before + n :][::-1]
        g = inner.swapaxes(axis, 0)
    return g


def padded_change(x_dot: Any, x: Any, pad_width: Any, mode: str, stat_length: Any) -> Any:
    """By how much `np.pad(x, pad_width, mode, stat_length=stat_length)` changes when `x` changes by
    `x_dot`: for modes that are linear the padded `x_dot`.
    """
    if mode not in (*_OF_A_WINDOW, *_LINEAR, *_CHOOSING, "constant", "empty"):
        raise NotImplementedError(f"np.pad with mode={mode!r} has no derivative rule")
    if mode not in _BY_ORDER:
        options: Any = {} if stat_length is None else {"stat_length": stat_length}
        return _padded(x_dot, pad_width, "constant" if mode == "empty" else mode, options)
    x, x_dot = np.asarray(x), np.asarray(x_dot)
    widths = _pairs(pad_width, x.ndim)
    lengths = _pairs(stat_length, x.ndim) if stat_length is not None else [None] * x.ndim
    for axis in range(x.ndim):  # NumPy pads one axis after the other
        options = {} if stat_length is None else {"stat_length": lengths}
        rows, moved = x.swapaxes(axis, 0), x_dot.swapaxes(axis, 0)
        ends = [_change_of(moved, rows, first, mode, lengths[axis]) for first in (True, False)]
        repeated = [np.repeat(end, count, 0) for end, count in zip(ends, widths[axis])]
        x_dot = np.concatenate([repeated[0], moved, repeated[1]]).swapaxes(axis, 0)
        along = [pair if k == axis else (0, 0) for k, pair in enumerate(widths)]
        x = _padded(x, along, mode, options)
    return x_dot


def _change_of(x_dot: Any, x: Any, first: bool, mode: str, lengths: Any) -> Any:
    """By how much the statistic changes that goes to one side of the rows: one row."""
    n = len(x)
    count = n if lengths is None else min(lengths[0 if first else 1], n)
    window = slice(0, count) if first else slice(n - count, n)
    if mode == "median":
        return quantile_change(x_dot[window], x[window], 0.5, 0)
    best = (np.max if mode == "maximum" else np.min)(x[window], axis=0)
    return np.sum(x_dot[window] * winners(x[window], best, 0), axis=0, keepdims=True)


def padded_values(values: Any, like: Any, pad_width: Any, mode: str) -> Any:
    """The part of `np.pad` that comes from `constant_values` or `end_values`."""
    zeros = np.zeros(np.shape(like), np.result_type(values))
    if mode == "linear_ramp":
        return np.pad(zeros, pad_width, "linear_ramp", end_values=values)
    return np.pad(zeros, pad_width, constant_values=values)


def _along(shares: Any, part: Any) -> Any:
    return shares.reshape((-1,) + (1,) * (part.ndim - 1))


def _pairs(given: Any, rank: int) -> list[tuple[int, int]]:
    """What is added before and after, for each axis."""
    if type(given) is int:
        return [(given, given)] * rank
    if isinstance(given, dict):
        listed: list[Any] = [given.get(k, given.get(k - rank, 0)) for k in range(rank)]
        given = [(w, w) if np.ndim(w) == 0 else w for w in listed]
    return [(int(a), int(b)) for a, b in np.broadcast_to(given, (rank, 2))]
