"""Quadrature of samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from autodiff.templates.numpy.scans import trapezoid
from autodiff.templates.scipy import boundary_values as _boundary_values  # noqa: F401
from autodiff.templates.scipy import quadrature as _quadrature  # noqa: F401
from scipy import integrate

from autodiff.rules import adjoint, d, registry
from autodiff.runtime import conj, unbroadcast, undiff


def widths(y: Any, x: Any, dx: Any, axis: int) -> Any:
    """The distances of the points, with as many dimensions as `y`."""
    n = np.shape(y)[axis]
    shape = [1] * np.ndim(y)
    shape[axis] = n - 1
    if x is None:
        own = np.complex64 if np.iscomplexobj(dx) else np.float16
        return np.full(shape, dx, np.result_type(y, own))
    return np.reshape(np.diff(x), shape) if np.ndim(x) == 1 else np.diff(x, axis=axis)


def simpson_weights(y: Any, x: Any, dx: Any, axis: int) -> Any:
    """What each value of `y` counts for in `scipy.integrate.simpson(y, x=x, dx=dx, axis=axis)`.

    Parabolas through three points each; for an odd number of intervals the last is integrated under
    the parabola of the last three. Source: Cartwright, Simpson's rule cumulative integration with
    MS Excel and irregularly-spaced data (2017).
    """
    if x is not None and np.iscomplexobj(x):
        raise TypeError("the points of simpson are real numbers")
    h = np.moveaxis(widths(y, x, dx, axis), axis, 0)
    n = len(h) + 1
    if n < 3:
        return ends(widths(y, x, dx, axis) / 2, axis)
    pairs = n if n % 2 else n - 1
    h0, h1 = h[: pairs - 1 : 2], h[1 : pairs - 1 : 2]
    third = (h0 + h1) / 6
    none = np.zeros_like(h[:1])
    outer = np.concatenate([third * (2 - h1 / h0), none])
    outer = outer + np.concatenate([none, third * (2 - h0 / h1)])
    w = np.concatenate([in_turn(outer[:-1], third * ((h0 + h1) ** 2 / (h0 * h1))), outer[-1:]])
    if n % 2 == 0:
        h0, h1 = h[-2:-1], h[-1:]
        before = w[-2:-1] - h1**3 / (6 * h0 * (h0 + h1))
        middle = w[-1:] + (h1**2 + 3 * h0 * h1) / (6 * h0)
        last = (2 * h1**2 + 3 * h0 * h1) / (6 * (h0 + h1))
        w = np.concatenate([w[:-2], before, middle, last])
    return np.moveaxis(w, 0, axis)


def simpson_slopes(y: Any, x: Any, axis: int) -> Any:
    """What each distance between neighbouring points counts for in `simpson(y, x=x, axis=axis)`."""
    h = np.moveaxis(widths(y, x, 1.0, axis), axis, 0)
    v = np.moveaxis(y, axis, 0)
    n = len(v)
    if n < 3:
        return np.moveaxis((v[:-1] + v[1:]) / 2, 0, axis)
    pairs = n if n % 2 else n - 1
    h0, h1 = h[: pairs - 1 : 2], h[1 : pairs - 1 : 2]
    v0, v1, v2 = v[: pairs - 2 : 2], v[1 : pairs - 1 : 2], v[2:pairs:2]
    both, ratio = h0 + h1, h1 / h0
    mean = (v0 * (2 - ratio) + v1 * both**2 / (h0 * h1) + v2 * (2 - 1 / ratio)) / 6
    bend = both / 6 * (v0 * ratio + v1 * (h0 - h1) * both / (h0 * h1) - v2 / ratio)
    slopes = in_turn(mean + bend / h0, mean - bend / h1)
    if n % 2 == 0:
        h0, h1 = h[-2:-1], h[-1:]
        v0, v1, v2 = v[-3:-2], v[-2:-1], v[-1:]
        both, ratio = 6 * (h0 + h1) ** 2, h1 / h0
        before = v2 - v1 * (1 + ratio) ** 2 + v0 * ratio * (2 + ratio)
        last = v2 * (2 * h1**2 + 4 * h0 * h1 + 3 * h0**2) - v0 * h1**2 * (3 + 2 * ratio)
        last = last / both + v1 * (ratio / 3 + 0.5)
        slopes = np.concatenate([slopes[:-1], slopes[-1:] + before * h1**2 / both, last])
    return np.moveaxis(slopes, 0, axis)


def in_turn(first: Any, second: Any) -> Any:
    """The rows of two arrays in turn."""
    return np.reshape(np.stack([first, second], axis=1), (-1, *np.shape(first)[1:]))


def from_each_end(g: Any, y: Any, axis: int, initial: Any) -> Any:
    """For each interval the sum of `g` over the points behind it, `g` being the adjoint of
    `scipy.integrate.cumulative_trapezoid(y)`.
    """
    if initial is not None:
        g = np.take(g, np.arange(1, np.shape(y)[axis]), axis)
    return np.flip(np.cumsum(np.flip(g, axis), axis), axis)


def ends(each: Any, axis: int) -> Any:
    """The adjoint of values of which each interval takes the sum of its two."""
    shape = list(np.shape(each))
    shape[axis] = 1
    edge = np.zeros(shape, np.result_type(each))
    return np.concatenate([each, edge], axis) + np.concatenate([edge, each], axis)


def means(y: Any, axis: int) -> Any:
    """The means of neighbours."""
    left = np.arange(np.shape(y)[axis] - 1)
    return (np.take(y, left, axis) + np.take(y, left + 1, axis)) / 2


def points_adjoint(each: Any, x: Any, axis: int) -> Any:
    """The adjoint of the points when `each` is that of their distances."""
    g = undiff(each, 1, axis)
    if np.ndim(x) == 1:
        axis %= np.ndim(g)
        return np.sum(g, axis=tuple(k for k in range(np.ndim(g)) if k != axis))
    return unbroadcast(g, like=x)


registry.add_making([widths, simpson_weights, simpson_slopes, from_each_end])
registry.add_making([ends, means, points_adjoint])


adjoint(integrate.trapezoid, linear_in=("y",))(trapezoid)


@adjoint(integrate.simpson)
def simpson(area, y, x=None, *, dx=1.0, axis=-1):
    d[y] = np.expand_dims(d[area], axis) * conj(simpson_weights(y, x, dx, axis))
    d[x] = points_adjoint(np.expand_dims(d[area], axis) * conj(simpson_slopes(y, x, axis)), x, axis)
    d[dx] = np.sum(d[area] * conj(integrate.simpson(y, axis=axis))) if x is None else 0.0


@adjoint(integrate.cumulative_trapezoid)
def cumulative_trapezoid(area, y, x=None, dx=1.0, axis=-1, initial=None):
    behind = from_each_end(d[area], y, axis, initial)
    d[y] = ends(behind * conj(widths(y, x, dx, axis)) / 2, axis)
    d[x] = points_adjoint(behind * conj(means(y, axis)), x, axis)
    d[dx] = np.sum(behind * conj(means(y, axis))) if x is None else 0.0
