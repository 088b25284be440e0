"""Adjoints of functions that run along an axis: differences, cumulative products, quadrature."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.broadcasting import conj, dtype_of_adjoint, fit


def undiff(g: Any, n: int, axis: int, size: int | None = None) -> Any:
    """The adjoint of `x` when `g` is that of `np.diff(x, n, axis)`.

    size: the length of `x`, which `g` does not tell where it is empty.

    >>> undiff(np.array([1.0, 10.0]), 1, 0)
    array([-1., -9., 10.])
    """
    if n == 1 and g.ndim == 1 and len(g):
        result = np.empty(len(g) + 1, g.dtype)
        _undiff_rows(g, result)
        return result
    if n == 0:
        return np.array(g)
    if g.shape[axis] == 0:
        return np.zeros(_longer(g.shape, axis, n if size is None else size), g.dtype)
    for _ in range(n):
        result = np.empty(_longer(g.shape, axis, 1), g.dtype)
        _undiff_rows(g.swapaxes(0, axis), result.swapaxes(0, axis))
        g = result
    return g


def _undiff_rows(g: Any, out: Any) -> None:
    """Puts the adjoint of `x` into `out`; `g`, which is not empty, is that of `x[1:] - x[:-1]`."""
    out[0] = -g[0]
    np.subtract(g[:-1], g[1:], out[1:-1])
    out[-1] = g[-1]


def _longer(shape: tuple[int, ...], axis: int, by: int) -> list[int]:
    """The shape with an axis longer by so much."""
    sizes = list(shape)
    sizes[axis] += by
    return sizes


def cumprod_adjoint(g: Any, x: Any, y: Any, axis: int | None) -> Any:
    """The adjoint of `x` when `g` is that of `y = np.cumprod(x, axis)`; right with zeros too.

    Without zeros, `x[k]` receives the sum of `g[i] * y[i] / x[k]` over `i >= k`. In general it
    receives `r[k]` times the product of the items before it, `r[k] = g[k] + x[k + 1] * r[k + 1]`.
    """
    if np.ndim(x) == 1 and len(y) and abs(y[-1]) > 0:  # then no factor is zero
        return np.add.accumulate((g * conj(y))[::-1])[::-1] / conj(x)
    shape = np.shape(x)
    along = 0 if axis is None else axis
    x = conj(np.ravel(x) if axis is None else np.asarray(x))
    y = conj(y)
    if np.count_nonzero(x) == np.size(x):
        result = np.flip(np.cumsum(np.flip(g * y, along), along), along) / x
    else:
        given, moved = np.moveaxis(g, along, 0), np.moveaxis(x, along, 0)
        sums = [given[-1]]
        for k in range(len(given) - 2, -1, -1):
            sums.append(given[k] + moved[k + 1] * sums[-1])
        rest = np.stack(sums[::-1])
        before = np.concatenate([np.ones_like(rest[:1]), np.moveaxis(y, along, 0)[:-1]])
        result = np.moveaxis(before * rest, 0, along)
    return np.reshape(result, shape)


def aligned(weights: Any, like: Any, axis: Any) -> Any:
    """`weights` as an array that broadcasts against `like`: weights of some axes lie along them."""
    weights = np.asarray(weights)
    if axis is None or np.shape(weights) == np.shape(like):
        return weights
    order, shape = alignment(np.shape(weights), np.ndim(like), axis)
    return np.reshape(np.transpose(weights, order), shape)


def alignment(sizes: tuple[int, ...], ndim: int, axis: Any) -> tuple[list[int], list[int]]:
    """The order of the axes of weights that lie along some axes, and their shape among all."""
    axes = [int(k) % ndim for k in ((axis,) if isinstance(axis, int) else axis)]
    shape = [1] * ndim
    for k, size in zip(axes, sizes):
        shape[k] = size
    return [axes.index(k) for k in sorted(axes)], shape


def proportions(weights: Any, like: Any, axis: Any) -> Any:
    """The share of each element of `like` in its weighted average."""
    w = aligned(weights, like, axis)
    return w / np.sum(w, axis=axis, keepdims=True)


def average_weights_adjoint(g: Any, total: Any, weights: Any, deviation: Any, axis: Any) -> Any:
    """The adjoint of the weights of an average, `total` being that of their sum.

    `deviation` is what each element differs by from the average.
    """
    w = aligned(weights, deviation, axis)
    each = np.asarray(g * conj(deviation / np.sum(w, axis=axis, keepdims=True)) + total)
    over, order = alignment_back(np.shape(weights), np.shape(deviation), axis)
    return np.reshape(np.transpose(np.sum(each, axis=over), order), np.shape(weights))


def alignment_back(
    sizes: tuple[int, ...], shape: tuple[int, ...], axis: Any
) -> tuple[tuple[int, ...], list[int]]:
    """The axes along which weights were repeated, and the order of the others in the weights."""
    ndim = len(shape)
    if axis is None or sizes == shape:
        return (), list(range(ndim))
    axes = [int(k) % ndim for k in ((axis,) if isinstance(axis, int) else axis)]
    over = tuple(k for k in range(ndim) if k not in axes)
    return over, [sorted(axes).index(k) for k in axes]


def even_trapezoid_adjoint(step: Any, y: Any) -> Any:
    """The adjoint of the vector `y` when `step` is that of `np.trapezoid(y)`, both real."""
    if len(y) < 2:
        return np.zeros_like(y)
    weights = np.full_like(y, step)
    weights[0] *= 0.5
    weights[-1] *= 0.5
    return weights


def trapezoid_weights(y: Any, x: Any, dx: Any, axis: int) -> Any:
    """What each value of `y` counts for in `np.trapezoid(y, x, dx, axis)`."""
    n = np.shape(y)[axis]
    shape = [1] * np.ndim(y)
    if x is None and np.ndim(dx) == 0:
        weights = np.full(n, dx, _widened(dtype_of_adjoint(y, y), dx))
        weights[:1] *= 0.5
        weights[-1:] *= 0.5 if n > 1 else 0.0
        if len(shape) == 1:
            return weights
        shape[axis] = n
        return np.reshape(weights, shape)
    shape[axis] = n - 1
    if x is None:
        dx = np.asarray(dx, _widened(dtype_of_adjoint(y, y), dx))
        widths = np.broadcast_to(dx, np.broadcast_shapes(dx.shape, tuple(shape)))
    else:
        x = np.asarray(x)
        widths = np.diff(x).reshape(shape) if x.ndim == 1 else np.diff(x, axis=axis)
    shape = list(np.shape(widths))
    shape[axis] = 1
    edge = np.zeros(shape, np.result_type(widths))
    padded = np.concatenate([edge, widths, edge], axis)
    ends = np.arange(n)
    return (np.take(padded, ends, axis) + np.take(padded, ends + 1, axis)) / 2


def _widened(dtype: Any, dx: Any) -> Any:
    return np.result_type(dtype, np.complex64) if np.iscomplexobj(dx) else dtype


def trapezoid_points_adjoint(g: Any, y: Any, x: Any, axis: int) -> Any:
    """The adjoint of the points `x`; `g` is that of `np.trapezoid(y, x)` with its axis kept."""
    ends = np.arange(np.shape(y)[axis] - 1)
    means = (np.take(y, ends, axis) + np.take(y, ends + 1, axis)) / 2
    each = undiff(g * conj(means), 1, axis)
    if np.ndim(x) == 1:
        axis %= each.ndim
        return each.sum(axis=tuple(k for k in range(each.ndim) if k != axis))
    return fit(each, np.shape(x))


def trapezoid_step_adjoint(g: Any, y: Any, dx: Any, axis: int) -> Any:
    """The adjoint of the step `dx`; `g` is that of `np.trapezoid(y, dx=dx)` with its axis kept."""
    ends = np.arange(np.shape(y)[axis] - 1)
    means = (np.take(y, ends, axis) + np.take(y, ends + 1, axis)) / 2
    return fit(g * conj(means), np.shape(dx))
