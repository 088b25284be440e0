"""Where points are: in which interval, cell or simplex. None of it has a derivative."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial import Delaunay, cKDTree

from autodiff.rules import nondifferentiable


@nondifferentiable
def intervals(x: Any, at: Any) -> Any:
    """The interval of each point, the first or the last one outside; `x` may fall."""
    sign = 1 if x[-1] >= x[0] else -1
    found = np.searchsorted(sign * np.asarray(x), sign * np.asarray(at), side="right") - 1
    return np.clip(found, 0, len(x) - 2)


@nondifferentiable
def are_outside(x: Any, at: Any) -> Any:
    """Whether points lie beyond the ends."""
    low, high = min(x[0], x[-1]), max(x[0], x[-1])
    return (at < low) | (at > high)


@nondifferentiable
def knots_at(t: Any, k: int, x: Any) -> Any:
    """The knot on the left of each point, of those between which the spline is."""
    return np.clip(np.searchsorted(t, x, side="right") - 1, k, len(t) - k - 2)


@nondifferentiable
def beyond_knots(t: Any, k: int, x: Any) -> Any:
    """Whether points lie beyond the knots between which the spline is."""
    return (x < t[k]) | (x > t[len(t) - k - 1])


@nondifferentiable
def cells(grid: Any, x: Any) -> Any:
    """The cell of each point along one axis; those at the ends go on outside."""
    found = np.searchsorted(grid, x, side="right") - 1
    return np.where(np.isnan(x), -1, np.clip(found, 0, max(len(grid) - 2, 0)))


@nondifferentiable
def corners_around(points: Any, at: Any, tolerance: float = 1.0) -> Any:
    """The corners of the simplex around each point, -1 outside of all. tolerance: how often that of
    Qhull, 100 times the machine epsilon.
    """
    mesh = Delaunay(points)
    found = mesh.find_simplex(at, tol=100 * np.finfo(float).eps * tolerance)
    return np.where(found[:, None] < 0, -1, mesh.simplices[found])


@nondifferentiable
def nearest_to(points: Any, at: Any) -> Any:
    """The place of the nearest of the points."""
    return cKDTree(points).query(at)[1]


@nondifferentiable
def edges_of(points: Any) -> Any:
    """Of the triangles between points, each edge twice: where it begins and where it ends."""
    starts, ends = Delaunay(points).vertex_neighbor_vertices
    return np.repeat(np.arange(len(points)), np.diff(starts)), ends


@nondifferentiable
def triangles_around(points: Any, at: Any, tolerance: float) -> Any:
    """The corners of the triangle around each point, those of the triangles behind its edges, and
    whether there is one; and whether a point is inside: else the triangle is any.
    """
    mesh = Delaunay(points)
    found = mesh.find_simplex(at, tol=100 * np.finfo(float).eps * tolerance)
    beside = mesh.neighbors[found]
    return mesh.simplices[found], mesh.simplices[beside], beside >= 0, found >= 0
