"""Functions in C of values on grids, in terms of NumPy; `RegularGridInterpolator` calls them."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

from itertools import product

import numpy as np
from autodiff.templates.scipy.interpolate.bases import bases
from autodiff.templates.scipy.interpolate.places import beyond_knots, cells
from scipy.interpolate import _ndbspline, _rgi

from autodiff.rules import registry
from autodiff.rules.taking import add_recipes


def find_indices(grid, xi):
    indices, parts = [], []
    for axis, points in enumerate(grid):
        i = cells(points, xi[axis])
        indices.append(i)
        if len(points) > 1:
            parts.append((xi[axis] - points[i]) / (points[i + 1] - points[i]))
        else:
            parts.append(0.0 * xi[axis])
    return np.stack(indices), np.stack(parts)


def evaluate_linear_2d(values, indices, parts, grid, out):
    total = np.zeros(out.shape, out.dtype)
    for up in product((0, 1), repeat=2):
        weight = np.ones(len(out))
        at = []
        for axis in range(2):
            weight = weight * (parts[axis] if up[axis] else 1 - parts[axis])
            at.append(np.minimum(indices[axis] + up[axis], values.shape[axis] - 1))
        total = total + values[at[0], at[1]] * weight
    out[...] = total
    return out


def evaluate_ndbspline(xi, t, lengths, k, nu, extrapolate, c, width, strides, corners, out=None):
    shape = [lengths[axis] - k[axis] - 1 for axis in range(len(k))]
    whole = c.reshape(*shape, width)
    made = np.zeros((len(xi), width), c.dtype)
    parts = [bases(t[a, : lengths[a]], k[a], xi[:, a], nu[a]) for a in range(len(k))]
    for corner in product(*(range(degree + 1) for degree in k)):
        weight = np.ones(len(xi))
        at = []
        for (values, first), j in zip(parts, corner):
            weight = weight * values[:, j]
            at.append(first + j)
        made = made + whole[tuple(at)] * weight[:, None]
    lost = np.isnan(xi).any(axis=1)
    if not extrapolate:
        for axis in range(len(k)):
            lost = lost | beyond_knots(t[axis, : lengths[axis]], k[axis], xi[:, axis])
    made = np.where(lost[:, None], np.nan, made)
    if out is None:
        return made
    out[...] = made
    return None


def colloc_nd(xvals, t, lengths, k, corners, strides):
    """The entries of the matrix of all B-splines in all points, by rows."""
    parts = [bases(t[a, : lengths[a]], k[a], xvals[:, a]) for a in range(len(k))]
    data, places = [], []
    for corner in product(*(range(degree + 1) for degree in k)):
        weight = np.ones(len(xvals))
        place = 0
        for (values, first), j, stride in zip(parts, corner, strides):
            weight = weight * values[:, j]
            place = place + (first + j) * stride
        data.append(weight)
        places.append(place)
    ends = np.arange(len(xvals) + 1) * len(data)
    return np.stack(data, axis=1).reshape(-1), np.stack(places, axis=1).reshape(-1), ends


_OWN = {"evaluate_ndbspline": evaluate_ndbspline, "_coloc_nd": colloc_nd, "_colloc_nd": colloc_nd}
_HOMES = [getattr(_ndbspline, name) for name in ("_dierckx", "_bspl") if hasattr(_ndbspline, name)]
registry.add_written(
    {
        _rgi.find_indices: find_indices,
        _rgi.evaluate_linear_2d: evaluate_linear_2d,
        **{
            getattr(home, name): own
            for home in _HOMES
            for name, own in _OWN.items()
            if hasattr(home, name)
        },
    }
)
add_recipes(__name__)
