"""Adjoints of distances between points. Equal points contribute 0, the middle of the subgradients.

A function that takes `xa` and `xb` is for `y = cdist(xa, xb, metric, ...)`, whose adjoint is `g`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial import distance


def distances_left(
    g: Any,
    y: Any,
    xa: Any,
    xb: Any,
    metric: Any,
    p: Any = 2.0,
    w: Any = None,
    V: Any = None,
    VI: Any = None,
) -> Any:
    """The adjoint of `xa`."""
    if not isinstance(metric, str):
        raise NotImplementedError("a distance that is a function has no derivative: give its name")
    metric = metric.lower()
    if metric in ("sqeuclidean", "sqe", "sqeuclid"):
        return weighted(differences(2 * g, xa, xb), w)
    if metric in ("euclidean", "euclid", "eu", "e"):
        return weighted(differences(g / positive(y), xa, xb), w)
    if metric in ("seuclidean", "se", "s"):
        found = differences(g / positive(y), xa, xb)
        if V is not None:
            return found / V
        points = np.concatenate([xa, xb])
        own = np.var(points, axis=0, ddof=1)
        slope = of_variances(g, y, xa, xb, own)
        return found / own + through_variances(slope, points)[: len(xa)]
    if metric in ("mahalanobis", "mahal", "mah"):
        found = differences(g / positive(y), xa, xb)
        if VI is not None:
            return found @ ((VI + VI.T) / 2)
        points = np.concatenate([xa, xb])
        own = precision(points)
        slope = of_precision(g, y, xa, xb)
        return found @ own + through_precision(slope, own, points)[: len(xa)]
    if metric in ("cosine", "cos", "correlation", "co"):
        xa, xb = centred(xa, metric, w), centred(xb, metric, w)
        a, b = length(xa, w), length(xb, w)
        along = np.sum(g * (1 - y), axis=1, keepdims=True)
        return weighted((along * (xa / a) - g @ (xb / b)) / a, w)
    if metric in ("jensenshannon", "js"):
        return of_shares(g / (4 * positive(y)) * (y > 0), xa, xb)
    if metric in ("chebychev", "chebyshev", "cheby", "cheb", "ch"):
        return of_largest(g, xa, xb, w)
    if metric in ("minkowski", "mi", "m", "pnorm") and np.isinf(p):
        return of_largest(g, xa, xb, w)
    return by_coordinates(g, y, xa, xb, metric, p, w)


def by_coordinates(g: Any, y: Any, xa: Any, xb: Any, metric: Any, p: Any, w: Any) -> Any:
    """The adjoint of `xa`, one coordinate at a time for want of memory."""
    columns = []
    if metric in ("cityblock", "cblock", "cb", "c"):
        for k in range(np.shape(xa)[1]):
            columns.append(np.sum(g * np.sign(xa[:, None, k] - xb[None, :, k]), axis=1))
    elif metric in ("minkowski", "mi", "m", "pnorm"):
        for k in range(np.shape(xa)[1]):
            step = xa[:, None, k] - xb[None, :, k]
            part = np.where(step == 0, 1, np.abs(step)) / positive(y)
            columns.append(np.sum(g * np.sign(step) * part ** (p - 1), axis=1))
    elif metric == "braycurtis":
        g = g / distance.cdist(-xa, xb, "cityblock", w=w)
        for k in range(np.shape(xa)[1]):
            a, b = xa[:, None, k], xb[None, :, k]
            columns.append(np.sum(g * (np.sign(a - b) - y * np.sign(a + b)), axis=1))
    elif metric == "canberra":
        for k in range(np.shape(xa)[1]):
            a, b = xa[:, None, k], xb[None, :, k]
            size = positive(np.abs(a) + np.abs(b))
            slope = np.sign(a - b) - np.abs(a - b) / size * np.sign(a)
            columns.append(np.sum(g * slope / size, axis=1))
    else:  # those that are left count which coordinates are equal, or 0
        raise NotImplementedError(f"the distance {metric!r} is piecewise constant, or not known")
    return weighted(np.stack(columns, axis=1), w)


def of_largest(g: Any, xa: Any, xb: Any, w: Any) -> Any:
    """The adjoint of `xa` of which the largest difference counts; several share equally."""
    if w is not None:  # those above 0 say which coordinates count
        xa, xb = xa * (w > 0), xb * (w > 0)
    y = _farthest(xa, xb)  # that of SciPy has another precision than single differences
    g = g / _largest(y, xa, xb)
    columns = []
    for k in range(np.shape(xa)[1]):
        step = xa[:, None, k] - xb[None, :, k]
        columns.append(np.sum(g * np.sign(step) * (np.abs(step) == y), axis=1))
    return np.stack(columns, axis=1)


def of_weights(g: Any, y: Any, xa: Any, xb: Any, metric: Any, p: Any, w: Any) -> Any:
    """The adjoint of the weights."""
    metric = metric.lower()
    xa, xb = xa * 1.0, xb * 1.0  # of unsigned integers differences wrap around
    if metric in ("chebychev", "chebyshev", "cheby", "cheb", "ch"):
        return np.zeros_like(w)
    if metric in ("minkowski", "mi", "m", "pnorm") and np.isinf(p):
        return np.zeros_like(w)
    if metric in ("cosine", "cos", "correlation", "co"):
        xa, xb = centred(xa, metric, w), centred(xb, metric, w)
        a, b = xa / length(xa, w), xb / length(xb, w)
        along = g * (1 - y)
        squares = np.sum(along, axis=1) @ a**2 + np.sum(along, axis=0) @ b**2
        return squares / 2 - np.sum(a * (g @ b), axis=0)
    terms = []
    if metric == "braycurtis":
        g = g / distance.cdist(-xa, xb, "cityblock", w=w)
    for k in range(np.shape(xa)[1]):
        a, b = xa[:, None, k], xb[None, :, k]
        step = np.abs(a - b)
        size = np.where(step == 0, 1, y)
        if metric in ("sqeuclidean", "sqe", "sqeuclid"):
            each = step**2
        elif metric in ("euclidean", "euclid", "eu", "e"):
            each = step**2 / (2 * size)
        elif metric in ("cityblock", "cblock", "cb", "c"):
            each = step
        elif metric in ("minkowski", "mi", "m", "pnorm"):
            each = step * np.where(step == 0, 1, step / size) ** (p - 1) / p
        elif metric == "braycurtis":
            each = step - y * np.abs(a + b)
        elif metric == "canberra":
            each = step / positive(np.abs(a) + np.abs(b))
        else:
            raise NotImplementedError(f"the distance {metric!r} has no derivative in weights")
        terms.append(np.sum(g * each))
    return np.stack(terms)


def of_exponent(g: Any, y: Any, xa: Any, xb: Any, p: Any, w: Any) -> Any:
    """The adjoint of the exponent of `metric="minkowski"`; in doubles, as SciPy computes `y`."""
    xa, xb = xa * np.ones(1), xb * np.ones(1)
    total = np.zeros_like(y)
    for k in range(np.shape(xa)[1]):
        step = np.abs(xa[:, None, k] - xb[None, :, k])
        part = np.where(step == 0, 1, step / positive(y))
        each = np.where(step == 0, 0, part**p * np.log(part))
        total = total + (each if w is None else w[k] * each)
    return np.sum(g * y * total) / p


def of_variances(g: Any, y: Any, xa: Any, xb: Any, V: Any) -> Any:
    """The adjoint of the variances of `metric="seuclidean"`."""
    xa, xb = xa * 1.0, xb * 1.0
    g = g / positive(y)
    steps = [np.sum(g * (xa[:, None, k] - xb[None, :, k]) ** 2) for k in range(np.shape(xa)[1])]
    return -np.stack(steps) / (2 * V**2)


def of_precision(g: Any, y: Any, xa: Any, xb: Any) -> Any:
    """The adjoint of the inverse covariance of `metric="mahalanobis"`."""
    xa, xb = xa * 1.0, xb * 1.0
    middle = np.mean(xa, axis=0)
    g = g / np.where(distance.cdist(xa, xb) == 0, 1, y)
    left = (xa - middle).T @ differences(g, xa, xb)
    return (left + (xb - middle).T @ differences(g.T, xb, xa)) / 2


def through_variances(slope: Any, points: Any) -> Any:
    """The adjoint of points when `slope` is that of their variances."""
    return (points - np.mean(points, axis=0)) * (2 * slope / (len(points) - 1))


def precision(points: Any) -> Any:
    """The inverse of the covariance of points."""
    apart = points - np.mean(points, axis=0)
    return np.linalg.inv(apart.T @ apart / (len(points) - 1))


def through_precision(slope: Any, own: Any, points: Any) -> Any:
    """The adjoint of points when `slope` is that of `own`, the inverse of their covariance."""
    return (points - np.mean(points, axis=0)) @ (own @ slope @ own) * (-2 / (len(points) - 1))


def of_shares(g: Any, xa: Any, xb: Any) -> Any:
    """The adjoint of `xa` when `g` is that of the divergence between shares of the points' sums."""
    total = np.sum(xa, axis=1, keepdims=True)
    left, right = xa / total, xb / np.sum(xb, axis=1, keepdims=True)
    columns = []
    for k in range(np.shape(xa)[1]):
        a, b = left[:, None, k], right[None, :, k]
        counts = (g != 0) & (a + b != 0)
        part = np.where(counts, 2 * a, 1) / np.where(counts, a + b, 1)
        columns.append(np.sum(g * np.log(part), axis=1))
    slopes = np.stack(columns, axis=1)
    inner = np.sum(left * np.where(left == 0, 0, slopes), axis=1, keepdims=True)
    return (slopes - inner) / total


def differences(g: Any, xa: Any, xb: Any) -> Any:
    """For each point of `xa` the sum of `g` times what it is away from each point of `xb`."""
    middle = np.sum(xa, axis=0) / max(len(xa), 1)  # else far from 0 nothing would be left
    return np.sum(g, axis=1)[:, None] * (xa - middle) - g @ (xb - middle)


def weighted(x: Any, w: Any) -> Any:
    """`x` with a weight for each column, if there are weights."""
    return x if w is None else x * w


def centred(x: Any, metric: Any, w: Any) -> Any:
    """The points less the mean of their coordinates, if that is what a metric compares."""
    if metric not in ("correlation", "co"):
        return x
    mean = np.mean(x, axis=1) if w is None else x @ (w / np.sum(w))
    return x - mean[:, None]


def length(x: Any, w: Any) -> Any:
    """The length of each point."""
    return np.sqrt(np.sum(weighted(x**2, w), axis=1, keepdims=True))


def positive(y: Any) -> Any:
    """What to divide by: 1 where `y` is 0."""
    return np.where(y == 0, 1, y)


def _farthest(xa: Any, xb: Any) -> Any:
    """The largest difference between the coordinates of each pair of points."""
    largest = np.abs(xa[:, None, 0] - xb[None, :, 0])
    for k in range(1, np.shape(xa)[1]):
        largest = np.maximum(largest, np.abs(xa[:, None, k] - xb[None, :, k]))
    return largest


def _largest(y: Any, xa: Any, xb: Any) -> Any:
    """In how many coordinates each pair of points has its largest difference."""
    return sum(np.abs(xa[:, None, k] - xb[None, :, k]) == y for k in range(np.shape(xa)[1]))
