"""Interpolation between scattered points, in terms of NumPy: `RBFInterpolator`, of which the loops
are compiled, and what is linear or constant on simplices, `LinearNDInterpolator` and `griddata`.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from autodiff.templates.scipy.interpolate.bases import Lost
from autodiff.templates.scipy.interpolate.places import corners_around, nearest_to
from scipy.interpolate import (
    LinearNDInterpolator,
    NearestNDInterpolator,
    _rbfinterp,
    _rbfinterp_pythran,
    _rgi,
)
from scipy.linalg import lapack

from autodiff.rules import registry
from autodiff.rules.taking import add_recipes


def lengths(difference):
    """The lengths of vectors, with slope 0 where one is 0."""
    squares = np.sum(difference**2, axis=-1)
    apart = squares > 0
    return np.where(apart, np.sqrt(np.where(apart, squares, 1.0)), 0.0)


def radial(r, kernel):
    """The functions that `RBFInterpolator` knows by their names."""
    if kernel == "linear":
        return -r
    if kernel == "thin_plate_spline":
        apart = r > 0
        return np.where(apart, r**2 * np.log(np.where(apart, r, 1.0)), 0.0)
    if kernel == "cubic":
        return r**3
    if kernel == "quintic":
        return -(r**5)
    if kernel == "multiquadric":
        return -np.sqrt(r**2 + 1)
    if kernel == "inverse_multiquadric":
        return 1 / np.sqrt(r**2 + 1)
    if kernel == "inverse_quadratic":
        return 1 / (r**2 + 1)
    return np.exp(-(r**2))


def monomials(x, powers):
    return np.prod(x[:, None, :] ** powers, axis=-1)


def build_system(y, values, smoothing, kernel, epsilon, powers):
    low, high = np.min(y, axis=0), np.max(y, axis=0)
    shift, scale = (high + low) / 2, (high - low) / 2
    scale = np.where(scale == 0.0, 1.0, scale)
    scaled = y * epsilon
    count, extra = len(y), len(powers)
    left = np.zeros((count + extra, count + extra))
    left[:count, :count] = radial(lengths(scaled[None, :, :] - scaled[:, None, :]), kernel)
    left[np.arange(count), np.arange(count)] += smoothing
    polynomial = monomials((y - shift) / scale, powers)
    left[:count, count:] = polynomial
    left[count:, :count] = polynomial.T
    right = np.zeros((count + extra, values.shape[1]))
    right[:count] = values
    return left, right, shift, scale


def build_evaluation_coefficients(x, y, kernel, epsilon, powers, shift, scale):
    apart = lengths((x * epsilon)[:, None, :] - (y * epsilon)[None, :, :])
    return np.concatenate((radial(apart, kernel), monomials((x - shift) / scale, powers)), axis=1)


def gesv(a, b, overwrite_a=0, overwrite_b=0):
    return Lost(), Lost(), np.linalg.solve(a, b), 0


def placed(xi):
    """Points that are given by one array, or by coordinates: a row each, and the form of these."""
    if len(xi) == 1 and not isinstance(xi[0], tuple):
        whole = np.asarray(xi[0])
    else:
        given = xi[0] if len(xi) == 1 else xi
        whole = np.stack(np.broadcast_arrays(*given), axis=-1)
    return whole.reshape(-1, whole.shape[-1]), whole.shape[:-1]


def as_points(points):
    if isinstance(points, tuple):
        return np.stack(np.broadcast_arrays(*points), axis=-1)
    return np.asarray(points)


def scaling(own, rescale):
    """The middle of points, and how far they reach."""
    if not rescale:
        return np.zeros(own.shape[1]), np.ones(own.shape[1])
    scale = np.max(own, axis=0) - np.min(own, axis=0)
    return np.mean(own, axis=0), np.where(scale > 0, scale, 1.0)


def sysv(a, b, lwork=None, lower=0, overwrite_a=0, overwrite_b=0):
    """Of SciPy 1.18: of a symmetric matrix one triangle is read."""
    whole = np.tril(a) + np.tril(a, -1).T if lower else np.triu(a) + np.triu(a, 1).T
    return Lost(), Lost(), np.linalg.solve(whole, b), 0


def linear_nd(points, values, fill_value=np.nan, rescale=False):
    """`LinearNDInterpolator(points, values)`, as a function: barycentric coordinates."""
    own, heights = as_points(points), np.asarray(values)
    shift, scale = scaling(own, rescale)

    def value(*xi, simplex_tolerance=1.0):
        at, shape = placed(xi)
        corners = corners_around((own - shift) / scale, (at - shift) / scale, simplex_tolerance)
        inside = corners[:, 0] >= 0
        places = np.where(inside[:, None], corners, np.arange(own.shape[1] + 1))
        sides = np.ones((len(at), own.shape[1] + 1, own.shape[1] + 1))
        sides[:, 1:, :] = np.swapaxes(own[places], 1, 2)
        sides[~inside] = np.eye(own.shape[1] + 1)
        right = np.ones((len(at), own.shape[1] + 1, 1))
        right[:, 1:, 0] = at
        parts = np.linalg.solve(sides, right)[:, :, 0]
        around = heights[places].reshape(len(at), own.shape[1] + 1, -1)
        made = np.sum(parts[:, :, None] * around, axis=1)
        made = np.where(inside[:, None], made, fill_value)
        return np.reshape(made, (*shape, *heights.shape[1:]))

    return value


def nearest_nd(x, y, rescale=False, tree_options=None):
    """`NearestNDInterpolator(x, y)`, as a function."""
    own, heights = as_points(x), np.asarray(y)
    shift, scale = scaling(own, rescale)

    def value(*xi):
        at, shape = placed(xi)
        found = nearest_to((own - shift) / scale, (at - shift) / scale)
        return np.reshape(heights[found], (*shape, *heights.shape[1:]))

    return value


def call_linear(self, *xi, **options):
    """A call of an interpolant whose values carry no derivative."""
    points = self.points if self.scale is None else self.points * self.scale + self.offset
    made = linear_nd(points, self.values, self.fill_value, self.scale is not None)(*xi, **options)
    return np.reshape(made, (*np.shape(made)[:-1], *self.values_shape))


def ndim_coords_from_arrays(points, ndim=None):
    """Coordinates that are given by one array, or apart: a row each."""
    if isinstance(points, tuple) and len(points) == 1:
        points = points[0]
    made = as_points(points)
    if made.ndim != 1 or isinstance(points, tuple):
        return made
    return made.reshape(-1, 1 if ndim is None else ndim)


registry.add_written(
    {
        _rbfinterp_pythran._build_system: build_system,
        _rbfinterp_pythran._build_evaluation_coefficients: build_evaluation_coefficients,
        lapack.dgesv: gesv,
        lapack.zgesv: gesv,
        LinearNDInterpolator: linear_nd,
        NearestNDInterpolator: nearest_nd,
        _rgi._ndim_coords_from_arrays: ndim_coords_from_arrays,
    }
)
add_recipes(__name__)
if hasattr(_rbfinterp, "_rbfinterp_np") and hasattr(_rbfinterp._rbfinterp_np, "dsysv"):
    registry.add_written({_rbfinterp._rbfinterp_np.dsysv: sysv})
