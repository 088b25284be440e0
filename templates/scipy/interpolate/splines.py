"""Interpolants that are made of values and then only called: what they give, in their values.

    f = CubicSpline(x, y)             becomes             f_at = spline_values(x, y, at)
    f_at = f(at)

What comes out is linear in the values, so that the adjoint is a product with what the values 1 at
one point and 0 at the others give. There is no derivative in the points `x`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from autodiff.templates.scipy.interpolate.points import interp1d_slope, over_values
from scipy.interpolate import CubicSpline, interp1d, make_interp_spline

from autodiff.rules import adjoint, d, registry
from autodiff.runtime import conj, unbroadcast


def over_points(g: Any, each: Any, y: Any, axis: int) -> Any:
    """The adjoint of `y` when `g` is that of what an interpolant through it gives.

    each: what it gives for the unit vectors: a row for each point, a column for each value.
    """
    axis %= np.ndim(y)
    before, after = np.shape(y)[:axis], np.shape(y)[axis + 1 :]
    rows = np.reshape(g, (int(np.prod(before)), len(each), int(np.prod(after))))
    found = np.einsum("bpa,pn->bna", rows, conj(each))
    return unbroadcast(np.reshape(found, np.shape(y)), like=y)


def spline_values(
    x: Any,
    y: Any,
    at: Any,
    nu: int = 0,
    axis: int = 0,
    bc_type: str = "not-a-knot",
    extrapolate: Any = None,
) -> Any:
    """`CubicSpline(x, y)(at)`, with conditions at the ends that have names."""
    if not isinstance(bc_type, str) or bc_type == "periodic":
        raise NotImplementedError(
            "a periodic spline, or one with values at its ends, has no derivative in its values"
        )
    return CubicSpline(x, y, axis, bc_type, extrapolate)(at, nu)


@adjoint(spline_values)
def spline_of_values(z, x, y, at, nu=0, axis=0, bc_type="not-a-knot", extrapolate=None):
    d[y] = spline_adjoint(d[z], x, y, at, nu, axis, bc_type, extrapolate)
    d[at] = (
        d[z] * conj(spline_values(x, y, at, nu + 1, axis, bc_type, extrapolate))
        if np.ndim(z) == np.ndim(at)
        else over_values(
            d[z], spline_values(x, y, at, nu + 1, axis, bc_type, extrapolate), at, axis
        )
    )


def spline_adjoint(
    g: Any, x: Any, y: Any, at: Any, nu: int, axis: int, bc_type: str, extrapolate: Any
) -> Any:
    """The adjoint of the values `y` when `g` is that of `spline_values`."""
    each = spline_values(x, np.eye(len(x)), np.ravel(at), nu, 0, bc_type, extrapolate)
    return over_points(g, each, y, axis)


def fitted_values(
    x: Any, y: Any, at: Any, nu: int = 0, k: int = 3, t: Any = None, axis: int = 0
) -> Any:
    """`make_interp_spline(x, y, k, t)(at)`."""
    return make_interp_spline(x, y, k, t, None, axis)(at, nu)


@adjoint(fitted_values)
def fitted_to_values(z, x, y, at, nu=0, k=3, t=None, axis=0):
    d[y] = fitted_adjoint(d[z], x, y, at, nu, k, t, axis)
    d[at] = (
        d[z] * conj(fitted_values(x, y, at, nu + 1, k, t, axis))
        if np.ndim(z) == np.ndim(at)
        else over_values(d[z], fitted_values(x, y, at, nu + 1, k, t, axis), at, axis)
    )


def fitted_adjoint(
    g: Any, x: Any, y: Any, at: Any, nu: int, k: int, t: Any, axis: int
) -> Any:
    """The adjoint of the values `y` when `g` is that of `fitted_values`."""
    return over_points(g, fitted_values(x, np.eye(len(x)), np.ravel(at), nu, k, t), y, axis)


def line_values(
    x: Any,
    y: Any,
    at: Any,
    kind: Any = "linear",
    axis: int = -1,
    bounds_error: Any = None,
    fill_value: Any = np.nan,
    assume_sorted: bool = False,
) -> Any:
    """`interp1d(x, y)(at)`."""
    return interp1d(x, y, kind, axis, True, bounds_error, fill_value, assume_sorted)(at)


@adjoint(line_values)
def line_of_values(
    z,
    x,
    y,
    at,
    kind="linear",
    axis=-1,
    bounds_error=None,
    fill_value=np.nan,
    assume_sorted=False,
):
    d[y] = line_adjoint(d[z], x, y, at, kind, axis, fill_value, assume_sorted)
    d[at] = (
        d[z] * conj(line_slopes(x, y, at, kind, axis, fill_value, assume_sorted))
        if np.ndim(z) == np.ndim(at)
        else over_values(
            d[z], line_slopes(x, y, at, kind, axis, fill_value, assume_sorted), at, axis
        )
    )


def line_adjoint(
    g: Any, x: Any, y: Any, at: Any, kind: Any, axis: int, fill_value: Any, assume_sorted: bool
) -> Any:
    """The adjoint of the values `y` when `g` is that of `line_values`; what fills has none."""
    beyond: Any = "extrapolate" if isinstance(fill_value, str) else 0.0
    unit = interp1d(x, np.eye(len(x)), kind, 0, True, False, beyond, assume_sorted)
    return over_points(g, unit(np.ravel(at)), y, axis)


def line_slopes(
    x: Any,
    y: Any,
    at: Any,
    kind: Any,
    axis: int,
    fill_value: Any,
    assume_sorted: bool,
    order: int = 1,
) -> Any:
    """A derivative of `interp1d(x, y)` in its points; 0 where it is filled."""
    beyond: Any = "extrapolate" if isinstance(fill_value, str) else 0.0
    through = interp1d(x, y, kind, axis, True, False, beyond, assume_sorted)
    return interp1d_slope(through, at, order)


@adjoint(line_slopes)
def line_slopes_again(z, x, y, at, kind, axis, fill_value, assume_sorted, order=1):
    d[y] = slopes_adjoint(d[z], x, y, at, kind, axis, fill_value, assume_sorted, order)
    d[at] = (
        d[z] * conj(line_slopes(x, y, at, kind, axis, fill_value, assume_sorted, order + 1))
        if np.ndim(z) == np.ndim(at)
        else over_values(
            d[z],
            line_slopes(x, y, at, kind, axis, fill_value, assume_sorted, order + 1),
            at,
            axis,
        )
    )


def slopes_adjoint(
    g: Any,
    x: Any,
    y: Any,
    at: Any,
    kind: Any,
    axis: int,
    fill_value: Any,
    assume_sorted: bool,
    order: int,
) -> Any:
    """The adjoint of the values `y` when `g` is that of `line_slopes`."""
    points = np.ravel(at)
    each = line_slopes(x, np.eye(len(x)), points, kind, 0, fill_value, assume_sorted, order)
    return over_points(g, each, y, axis)


def spline(x, y, axis=0, bc_type="not-a-knot", extrapolate=None):
    """`CubicSpline(x, y)`, as a function."""

    def value(at, nu=0):
        return spline_values(x, y, at, nu, axis, bc_type, extrapolate)

    return value


def fitted_spline(x, y, k=3, t=None, axis=0):
    """`make_interp_spline(x, y)`, as a function."""

    def value(at, nu=0):
        return fitted_values(x, y, at, nu, k, t, axis)

    return value


def lines(
    x,
    y,
    kind="linear",
    axis=-1,
    copy=True,
    bounds_error=None,
    fill_value=np.nan,
    assume_sorted=False,
):
    """`interp1d(x, y)`, as a function."""

    def value(at):
        return line_values(x, y, at, kind, axis, bounds_error, fill_value, assume_sorted)

    return value


registry.add_making([spline_values, fitted_values, line_values, over_points])
registry.add_making([line_slopes, slopes_adjoint, line_adjoint, spline_adjoint, fitted_adjoint])
registry.add_plain({CubicSpline: spline, make_interp_spline: fitted_spline, interp1d: lines})
