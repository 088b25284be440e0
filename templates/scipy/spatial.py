"""Distances between points, and what of them is given or else found from the points."""

from __future__ import annotations

from typing import Any

import numpy as np
from autodiff.templates.scipy import rotations, trees
from autodiff.templates.scipy.distances import (
    distances_left,
    of_exponent,
    of_precision,
    of_variances,
    of_weights,
    precision,
    through_precision,
    through_variances,
)
from scipy import special
from scipy.spatial import distance

from autodiff.rules import adjoint, d, linear, registry

__all__ = ["rotations", "trees"]


def between_all(
    g: Any,
    y: Any,
    x: Any,
    metric: Any,
    p: Any = 2.0,
    w: Any = None,
    V: Any = None,
    VI: Any = None,
) -> Any:
    """The adjoint of `x` when `g` is that of `y = pdist(x, metric, ...)`."""
    metric = metric.lower()
    g, y = distance.squareform(g), distance.squareform(y)
    if V is None and metric in ("seuclidean", "se", "s"):
        own = np.var(x, axis=0, ddof=1)
        slope = of_variances(g, y, x, x, own) / 2  # each distance stands in two places
        return distances_left(g, y, x, x, metric, p, w, own) + through_variances(slope, x)
    if VI is None and metric in ("mahalanobis", "mahal", "mah"):
        own = precision(x)
        slope = of_precision(g, y, x, x) / 2
        direct = distances_left(g, y, x, x, metric, p, w, None, own)
        return direct + through_precision(slope, own, x)
    return distances_left(g, y, x, x, metric, p, w, V, VI)


def canberra(u, v, w=None):
    """`distance.canberra`: coordinates that are both 0 add nothing."""
    if np.ndim(u) != 1 or np.ndim(v) != 1:
        raise ValueError("points are vectors")
    size = np.abs(u) + np.abs(v)
    each = np.abs(np.subtract(u, v)) / np.where(size == 0, 1.0, size)
    return np.nansum(each if w is None else each * w)


def jensenshannon(p, q, base=None, *, axis=0, keepdims=False):
    """`distance.jensenshannon`, whose root is flat where both are equal."""
    p, q = np.asarray(p), np.asarray(q)
    p = p / np.sum(p, axis=axis, keepdims=True)
    q = q / np.sum(q, axis=axis, keepdims=True)
    each = special.rel_entr(p, (p + q) / 2.0) + special.rel_entr(q, (p + q) / 2.0)
    js = np.sum(each, axis=axis, keepdims=keepdims)
    js = js / 2.0 if base is None else js / (2.0 * np.log(base))
    return np.where(js == 0, 0.0, np.sqrt(js))


registry.add_written({distance.canberra: canberra, distance.jensenshannon: jensenshannon})
registry.add_making([distance.cdist, distance.pdist, distances_left, between_all])
registry.add_making([distance.squareform, of_exponent, of_precision, of_variances, of_weights])


@linear(distance.squareform)
def squareform(y, X, force="no", checks=True):
    """Each distance stands in two places of the matrix; SciPy reads the one above the diagonal."""
    d[X] = (
        (d[y] + d[y].T)[np.triu_indices(len(y), 1)]
        if np.ndim(X) == 1
        else np.triu(distance.squareform(d[y]))
    )


@adjoint(distance.cdist)
def cdist(y, XA, XB, metric="euclidean", *, p=2.0, w=None, V=None, VI=None):
    d[XA] = (
        distances_left(d[y], y, XA, XB, metric, p)
        if w is None and V is None and VI is None
        else distances_left(d[y], y, XA, XB, metric, p, w, V, VI)
    )
    d[XB] = (
        distances_left(d[y].T, y.T, XB, XA, metric, p)
        if w is None and V is None and VI is None
        else distances_left(d[y].T, y.T, XB, XA, metric, p, w, V, VI)
    )
    d[p] = of_exponent(d[y], y, XA, XB, p, w)
    d[w] = of_weights(d[y], y, XA, XB, metric, p, w)
    d[V] = of_variances(d[y], y, XA, XB, V)
    d[VI] = of_precision(d[y], y, XA, XB)


@adjoint(distance.pdist)
def pdist(y, X, metric="euclidean", *, p=2.0, w=None, V=None, VI=None):
    d[X] = (
        between_all(d[y], y, X, metric, p)
        if w is None and V is None and VI is None
        else between_all(d[y], y, X, metric, p, w, V, VI)
    )
    d[p] = of_exponent(distance.squareform(d[y]), distance.squareform(y), X, X, p, w) / 2
    d[w] = of_weights(distance.squareform(d[y]), distance.squareform(y), X, X, metric, p, w) / 2
    d[V] = of_variances(distance.squareform(d[y]), distance.squareform(y), X, X, V) / 2
    d[VI] = of_precision(distance.squareform(d[y]), distance.squareform(y), X, X) / 2
