"""`KDTree` and `ConvexHull`, classes in C, in terms of NumPy: in points and in what is asked."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import math

import numpy as np
from autodiff.templates.scipy.neighbours import (
    facets_of,
    places_around,
    places_of,
    tree_of,
    vertices_of,
)
from scipy.spatial import ConvexHull, KDTree, cKDTree

from autodiff.rules import foreign, registry
from autodiff.rules.taking import add_recipes


def distances(difference, p):
    """Of Minkowski, with slope 0 between equal points."""
    away = np.abs(difference)
    if p == np.inf:
        return np.max(away, axis=-1)
    if p == 1:
        return np.sum(away, axis=-1)
    powers = np.sum(away**p, axis=-1)
    apart = powers > 0
    return np.where(apart, np.where(apart, powers, 1.0) ** (1 / p), 0.0)


def nearest(tree, data, x, k, eps, p, bound):
    at = places_of(tree, x, k, eps, p, bound)
    there = at < len(data)
    more = np.expand_dims(x, -2) if np.ndim(at) > np.ndim(x) - 1 else x
    found = distances(data[np.where(there, at, 0)] - more, p)
    return np.where(there, found, np.inf)[()], at


class Tree:
    """A tree of points that carry a derivative."""

    def __init__(self, data, leafsize=16, compact=True, copy=False, balanced=True, boxsize=None):
        if boxsize is not None:
            raise NotImplementedError("a tree in a periodic box has no derivative rule")
        self.data = np.asarray(data)
        self.n, self.m = self.data.shape
        self.tree = tree_of(self.data)

    def query(self, x, k=1, eps=0.0, p=2.0, distance_upper_bound=np.inf, workers=1):
        return nearest(self.tree, self.data, np.asarray(x), k, eps, p, distance_upper_bound)

    def query_ball_point(self, x, r, p=2.0, eps=0.0):
        return places_around(self.tree, x, r, p, eps)


def query(self, x, k=1, eps=0.0, p=2.0, distance_upper_bound=np.inf, workers=1):
    if self.boxsize is not None:
        raise NotImplementedError("a tree in a periodic box has no derivative rule")
    return nearest(self, self.data, np.asarray(x), k, eps, p, distance_upper_bound)


def query_ball_point(self, x, r, p=2.0, eps=0.0):
    return places_around(self, x, r, p, eps)


class Hull:
    """A convex hull of points that carry a derivative: its facets stay, as they do near by."""

    def __init__(self, points, incremental=False, qhull_options=None):
        if incremental or qhull_options is not None:
            raise NotImplementedError("a hull with options of its own has no derivative rule")
        self.points = np.asarray(points)
        self.simplices = facets_of(self.points)
        self.vertices = vertices_of(self.points)
        self.ndim = self.points.shape[1]

    @property
    def volume(self):
        inside = np.mean(self.points, axis=0)
        edges = self.points[self.simplices] - inside
        return np.sum(np.abs(np.linalg.det(edges))) / math.factorial(self.ndim)

    @property
    def area(self):
        corners = self.points[self.simplices]
        edges = corners[:, 1:] - corners[:, :1]
        squares = np.linalg.det(edges @ np.swapaxes(edges, 1, 2))
        return np.sum(np.sqrt(squares)) / math.factorial(self.ndim - 1)


def tree(data, leafsize=16, compact_nodes=True, copy_data=False, balanced_tree=True, boxsize=None):
    return Tree(data, leafsize, compact_nodes, copy_data, balanced_tree, boxsize)


def hull(points, incremental=False, qhull_options=None):
    return Hull(points, incremental, qhull_options)


foreign.add_handles((cKDTree, KDTree))
registry.add_written(
    {
        cKDTree: tree,
        KDTree: tree,
        ConvexHull: hull,
        cKDTree.query: query,
        KDTree.query: query,
        cKDTree.query_ball_point: query_ball_point,
        KDTree.query_ball_point: query_ball_point,
    }
)
add_recipes(__name__)
