"""The adjoints of `np.gradient`."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.broadcasting import conj, dtype_of_adjoint, unbroadcast
from autodiff.runtime.scans import undiff


def gradient_adjoint(g: Any, f: Any, spacing: Any, axis: Any, edge_order: int) -> Any:
    """The adjoint of `f` when `g` is that of `np.gradient(f, *spacing)`."""
    f = np.asarray(f)
    if f.ndim == 1 and not spacing and edge_order == 1 and isinstance(g, np.ndarray):
        result = np.zeros(f.shape, dtype_of_adjoint(g, f))
        _unit_slopes_back(g, result)
        return result
    axes = range(f.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    axes = [k % f.ndim for k in axes]
    parts = [g] if len(axes) == 1 and not isinstance(g, (list, tuple)) else g
    steps = [1.0] * len(axes) if not spacing else list(spacing)
    steps = steps * len(axes) if len(steps) == 1 and np.ndim(steps[0]) == 0 else steps
    result = np.zeros(f.shape, dtype_of_adjoint(parts[0], f))
    for k, step, part in zip(axes, steps, parts):
        if np.ndim(step) == 0:
            _even_slopes_back(part, step, k, edge_order, result)
        else:
            own = np.moveaxis(np.asarray(part), k, 0)
            _slopes_back(own, np.asarray(step), edge_order, np.moveaxis(result, k, 0))
    return result


def _even_slopes_back(g: Any, step: Any, axis: int, edge_order: int, out: Any) -> None:
    """Adds the adjoint of the values, which stand a step apart, to `out`."""
    own, rows = np.swapaxes(g, 0, axis), np.swapaxes(out, 0, axis)
    if not len(own):
        return
    step = conj(step)
    half = own[1:-1] / (2 * step)
    rows[2:] += half
    rows[:-2] -= half
    first, last = own[0] / step, own[-1] / step
    for k, weight in enumerate((-1.0, 1.0) if edge_order == 1 else (-1.5, 2.0, -0.5)):
        rows[k] += weight * first
        rows[-1 - k] -= weight * last


def _unit_slopes_back(g: Any, out: Any) -> None:
    """Adds the adjoint of the values, which stand one apart, to `out`."""
    if len(g):
        half = 0.5 * g[1:-1]
        out[2:] += half
        out[:-2] -= half
        out[0] -= g[0]
        out[1] += g[0]
        out[-2] -= g[-1]
        out[-1] += g[-1]


def _slopes_back(g: Any, x: Any, edge_order: int, out: Any) -> None:
    """Adds the adjoint of the values, which stand at the points `x`, to `out`."""
    h = conj(np.diff(x)).reshape((-1,) + (1,) * (g.ndim - 1))
    both = h[:-1] + h[1:]
    each = g[1:-1] / both
    slopes = np.zeros((len(h), *g.shape[1:]), np.result_type(g, h))
    slopes[:-1] += h[1:] * each
    slopes[1:] += h[:-1] * each
    slopes[0] += g[0]
    slopes[-1] += g[-1]
    if edge_order == 2:
        first, last = g[0] * (h[0] / both[0]), g[-1] * (h[-1] / both[-1])
        slopes[0] += first
        slopes[1] -= first
        slopes[-1] += last
        slopes[-2] -= last
    slopes /= h
    out[1:] += slopes
    out[:-1] -= slopes


def spacing_adjoint(
    g: Any, y: Any, f: Any, spacing: Any, axis: int, edge_order: int, wanted: int
) -> Any:
    """The adjoint of one of the spacings when `g` is that of `y = np.gradient(f, *spacing)`.

    It says where values lie along one axis; a step divides all slopes along its axes.
    """
    step = spacing[wanted]
    if np.ndim(step) == 0:
        total = _inner(g, y) if len(spacing) == 1 else _inner(g[wanted], y[wanted])
        return unbroadcast(-total / conj(step), like=step)
    own = g if len(spacing) == 1 else g[wanted]
    slopes, values = np.moveaxis(own, axis, -1), np.moveaxis(f, axis, -1)
    return unbroadcast(_points_adjoint(slopes, values, step, edge_order), like=step)


def _inner(g: Any, y: Any) -> Any:
    if isinstance(g, (list, tuple)):
        return sum([np.sum(own * conj(slopes)) for own, slopes in zip(g, y)])
    return np.sum(g * conj(y))


def _points_adjoint(g: Any, f: Any, x: Any, edge_order: int) -> Any:
    """The adjoint of the points when `g` is that of the slopes along the last axis.

    Inside, a slope is the mean of the two beside it, each with the distance to the other; at the
    ends it is the one beside it, or lies on the line through the two next to it (edge_order 2).
    """
    distances = np.diff(x)
    s = np.diff(f) / distances
    left, right = distances[:-1], distances[1:]
    inner = (left * s[..., 1:] + right * s[..., :-1]) / (left + right)
    h = conj(distances)
    left, right = h[:-1], h[1:]
    both = left + right
    each = g[..., 1:-1] / both
    none, between = np.zeros_like(g[..., :1]), np.zeros_like(g[..., 1:-1])
    s_bar = _row(right * each, none) + _row(none, left * each)
    s_bar = s_bar + _row(g[..., :1], between) + _row(between, g[..., -1:])
    h_bar = _row(none, conj(s[..., :-1] - inner) * each)
    h_bar = h_bar + _row(conj(s[..., 1:] - inner) * each, none)
    if edge_order == 2:
        rest = between[..., 1:]
        first, last = g[..., :1] / both[0], g[..., -1:] / both[-1]
        s_bar = s_bar + _row(h[0] * first, -h[0] * first, rest)
        s_bar = s_bar + _row(rest, -h[-1] * last, h[-1] * last)
        turn = conj(s[..., :1] - s[..., 1:2]) * first / both[0]
        end = conj(s[..., -1:] - s[..., -2:-1]) * last / both[-1]
        h_bar = h_bar + _row(turn * h[1], -turn * h[0], rest)
        h_bar = h_bar + _row(rest, -end * h[-1], end * h[-2])
    total = h_bar - s_bar * conj(s) / h
    return undiff(np.sum(total, axis=tuple(range(np.ndim(total) - 1))), 1, 0)


def _row(*parts: Any) -> Any:
    """Parts of rows beside each other. Nothing here is added to in place: it is differentiated."""
    return np.concatenate(parts, axis=-1)
