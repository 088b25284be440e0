"""Interpolants, in the points at which they are evaluated."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import BSpline, PPoly, interp1d

from autodiff.rules import adjoint, d, registry
from autodiff.runtime import conj


def over_values(g: Any, slope: Any, x: Any, axis: int) -> Any:
    """The sum of `g * conj(slope)` over the axes of the values, which stand around those of `x`."""
    product = g * conj(slope)
    before = axis % (product.ndim - np.ndim(x) + 1)
    kept = range(before, before + np.ndim(x))
    return np.sum(product, axis=tuple(k for k in range(product.ndim) if k not in kept))


def interp1d_slope(interpolant: Any, x: Any, order: int = 1) -> Any:
    """A derivative of `scipy.interpolate.interp1d`: right-sided at the points, 0 where filled.

    Other polynomials of `scipy.interpolate` that are called alike have a method for it.
    """
    if not isinstance(interpolant, interp1d):
        return interpolant.derivative(x, order)
    x = np.asarray(x)
    if interpolant._kind == "spline":
        slope = interpolant._spline(x, order)
    else:
        points, values = interpolant.x, interpolant._y
        left = np.clip(np.searchsorted(points, x, side="right") - 1, 0, len(points) - 2)
        rise = (values[left + 1] - values[left]).reshape(*x.shape, -1)
        slope = rise / (points[left + 1] - points[left])[..., None]
        if interpolant._kind != "linear" or order > 1:
            slope = np.zeros_like(slope)
    if not interpolant._extrapolate:
        outside = (x < interpolant.x[0]) | (x > interpolant.x[-1])
        slope = np.where(outside[..., None], 0, slope.reshape(*x.shape, -1))
    return interpolant._finish_y(slope.reshape(x.size, -1), x.shape)


def around_values(g: Any, slope: Any, x: Any, axis: int) -> Any:
    """`g`, of the axes of `x`, with an axis of length 1 for each of the values around these."""
    before = axis % (np.ndim(slope) - np.ndim(x) + 1)
    behind = np.ndim(slope) - np.ndim(x) - before
    return np.reshape(g, (*[1] * before, *np.shape(x), *[1] * behind))


registry.add_pure([around_values])
registry.add_making([over_values, interp1d_slope])


@adjoint(over_values)
def summed(z, g, slope, x, axis):
    d[g] = around_values(d[z], slope, x, axis) * slope
    d[slope] = conj(around_values(d[z], slope, x, axis)) * g
    d[x] = 0.0


@adjoint(around_values)
def spread_out(z, g, slope, x, axis):
    d[g] = np.reshape(d[z], np.shape(x))
    d[slope] = 0.0
    d[x] = 0.0


@adjoint(PPoly.__call__, BSpline.__call__)
def piecewise(y, self, x, nu=0, extrapolate=None):
    d[x] = (
        d[y] * conj(self(x, nu + 1, extrapolate))
        if np.ndim(y) == np.ndim(x)
        else over_values(d[y], self(x, nu + 1, extrapolate), x, self.axis)
    )


@adjoint(interp1d.__call__)
def interpolated(y, self, x):
    d[x] = (
        d[y] * conj(interp1d_slope(self, x))
        if np.ndim(y) == np.ndim(x)
        else over_values(d[y], interp1d_slope(self, x), x, self._y_axis)
    )


@adjoint(interp1d_slope)
def interpolated_slope(y, interpolant, x, order=1):
    d[x] = (
        d[y] * conj(interp1d_slope(interpolant, x, order + 1))
        if np.ndim(y) == np.ndim(x)
        else over_values(d[y], interp1d_slope(interpolant, x, order + 1), x, interpolant._y_axis)
    )
