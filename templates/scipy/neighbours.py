"""Which points of a tree are near, and which corners a hull has: none of it has a derivative."""

from __future__ import annotations

from typing import Any

from scipy.spatial import ConvexHull, KDTree

from autodiff.rules import nondifferentiable


@nondifferentiable
def tree_of(points: Any) -> Any:
    """The tree of plain points."""
    return KDTree(points)


@nondifferentiable
def places_of(tree: Any, x: Any, k: Any, eps: float, p: float, bound: float) -> Any:
    """The places of the nearest points, as many as there are where none is in reach."""
    return tree.query(x, k, eps, p, bound)[1]


@nondifferentiable
def places_around(tree: Any, x: Any, r: Any, p: float, eps: float) -> Any:
    """What `query_ball_point` gives."""
    return tree.query_ball_point(x, r, p, eps)


@nondifferentiable
def facets_of(points: Any) -> Any:
    """The corners of each facet of the convex hull."""
    return ConvexHull(points).simplices


@nondifferentiable
def vertices_of(points: Any) -> Any:
    """The corners of the convex hull."""
    return ConvexHull(points).vertices
