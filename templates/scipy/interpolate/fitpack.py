"""Splines of FITPACK in the points at which they are evaluated: `splev`, `splint`.

`UnivariateSpline` and its kin call these. The slope is a spline again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import BSpline, _fitpack_impl, splev, splint

from autodiff.rules import adjoint, d, registry

_CLAMPED, _ZEROS = 3, 1
"""What `ext` says: outside of the knots the value at the last one, or 0."""


def splev_slope(x: Any, tck: Any, order: int = 1, ext: int = 0) -> Any:
    """A derivative of a spline: right-sided at the knots, 0 outside where the spline is constant.

    Raises:
        ValueError: the spline is a curve, whose coefficients are several lists.
    """
    x = np.asarray(x)
    if isinstance(tck, BSpline):
        return tck(x, order, extrapolate=ext == 0)
    if np.ndim(tck[1][0]):
        raise ValueError("a derivative of `splev` is of one spline: take the curve by coordinates")
    if order > tck[2]:
        return np.zeros(x.shape)
    return splev(x, tck, order, _ZEROS if ext == _CLAMPED else ext)


registry.add_pure([splev_slope])
# FITPACK looks for places among knots, and writes beyond its memory where made-up numbers are none.
registry.add_demanding((splev, _fitpack_impl.splev, splint, splev_slope))
# FITPACK says nothing of the exemplars that stand for knots, which are no knots.
registry.add_making([splev, _fitpack_impl.splev, splint, splev_slope])


@adjoint(splev, _fitpack_impl.splev)
def spline(y, x, tck, der=0, ext=0):
    d[x] = d[y] * splev_slope(x, tck, der + 1, ext)


@adjoint(splev_slope)
def spline_slope(y, x, tck, order=1, ext=0):
    d[x] = d[y] * splev_slope(x, tck, order + 1, ext)


@adjoint(splint)
def spline_integral(y, a, b, tck):
    d[a] = -d[y] * splev(a, tck, ext=1)
    d[b] = d[y] * splev(b, tck, ext=1)
