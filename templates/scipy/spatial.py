"""Distances between points. Equal points contribute 0, the middle of the subgradients."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial import distance

from autodiff.rules import adjoint, d, linear, registry


def distances_left(g: Any, y: Any, xa: Any, xb: Any, metric: str, p: float = 2.0) -> Any:
    """The adjoint of `xa` when `g` is that of `y = cdist(xa, xb, metric)`."""
    if metric in ("euclidean", "sqeuclidean"):
        w = 2 * g if metric == "sqeuclidean" else g / np.where(y == 0, 1, y)
        return np.sum(w, axis=1)[:, None] * xa - w @ xb
    if metric == "cosine":
        a, b = (np.sqrt(np.sum(x**2, axis=1, keepdims=True)) for x in (xa, xb))
        along = np.sum(g * (1 - y), axis=1, keepdims=True)
        return (along * (xa / a) - g @ (xb / b)) / a
    if metric not in ("cityblock", "chebyshev", "minkowski"):
        raise NotImplementedError(f"the distance {metric!r} has no derivative rule")
    columns = []
    if metric == "chebyshev":
        y = _farthest(xa, xb)  # that of SciPy has another precision than single differences
        g = g / _largest(y, xa, xb)
    for k in range(np.shape(xa)[1]):  # one coordinate at a time, for want of memory
        step = xa[:, None, k] - xb[None, :, k]
        slope = np.sign(step)
        if metric == "minkowski":
            slope = slope * (np.abs(step) / np.where(y == 0, 1, y)) ** (p - 1)
        elif metric == "chebyshev":
            slope = slope * (np.abs(step) == y)
        columns.append(np.sum(g * slope, axis=1))
    return np.stack(columns, axis=1)


def _farthest(xa: Any, xb: Any) -> Any:
    """The largest difference between the coordinates of each pair of points."""
    largest = np.abs(xa[:, None, 0] - xb[None, :, 0])
    for k in range(1, np.shape(xa)[1]):
        largest = np.maximum(largest, np.abs(xa[:, None, k] - xb[None, :, k]))
    return largest


def _largest(y: Any, xa: Any, xb: Any) -> Any:
    """In how many coordinates each pair of points has its largest difference."""
    return sum(np.abs(xa[:, None, k] - xb[None, :, k]) == y for k in range(np.shape(xa)[1]))


def between_all(g: Any, y: Any, x: Any, metric: str, p: float = 2.0) -> Any:
    """The adjoint of `x` when `g` is that of `y = pdist(x, metric)`."""
    return distances_left(as_matrix(g), as_matrix(y), x, x, metric, p)


def as_matrix(y: Any) -> Any:
    """The symmetric matrix of distances between all points."""
    return distance.squareform(y)


registry.add_pure([distances_left, between_all, as_matrix])


@linear(as_matrix)
def matrix_of_distances(m, y):
    """Each distance stands in two places."""
    d[y] = (d[m] + d[m].T)[np.triu_indices(len(m), 1)]


@adjoint(distance.cdist)
def cdist(y, xa, xb, metric="euclidean", *, p=2.0):
    d[xa] = distances_left(d[y], y, xa, xb, metric, p)
    d[xb] = distances_left(d[y].T, y.T, xb, xa, metric, p)


@adjoint(distance.pdist)
def pdist(y, x, metric="euclidean", *, p=2.0):
    d[x] = between_all(d[y], y, x, metric, p)
