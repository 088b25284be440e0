"""Sums, means and extrema of the parts of an image that labels tell."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import ndimage

from autodiff.rules import adjoint, d, linear, nondifferentiable, registry


def summed(x: Any, labels: Any, index: Any, kind: Any = None) -> Any:
    """The sum of each part, which SciPy gives in double precision."""
    if kind is not None and np.iscomplexobj(x):
        return summed(np.real(x), labels, index) + 1j * summed(np.imag(x), labels, index)
    found = ndimage.sum_labels(x, labels, index)
    return found if kind is None else np.asarray(found, kind)[()]


def spread(g: Any, labels: Any, index: Any, like: Any) -> Any:
    """For each element what `g` has for its part, 0 for those of none."""
    shape = np.shape(like)
    if labels is None:
        return np.full(shape, g)
    labels = np.broadcast_to(labels, shape)
    if index is None or np.ndim(index) == 0:
        return np.where(labels > 0 if index is None else labels == index, g, 0)
    known, place = np.unique(np.ravel(index), return_inverse=True)
    each = np.zeros(len(known), g.dtype)
    np.add.at(each, np.ravel(place), np.ravel(g))
    at = np.minimum(np.searchsorted(known, labels), len(known) - 1)
    return np.where(known[at] == labels, each[at], 0)


def extreme(x: Any, name: Any, labels: Any, index: Any) -> Any:
    """The smallest or the largest element of each part."""
    return getattr(ndimage, name)(x, labels, index)


def share_of(y: Any, x: Any, labels: Any, index: Any) -> Any:
    """Which elements are the extreme one of their part: the share of each."""
    if index is not None and np.ndim(index):
        index, first = np.unique(np.ravel(index), return_index=True)
        y = np.ravel(y)[first]
    part = spread(np.ones_like(y), labels, index, x) > 0
    hit = (part & (x == spread(np.asarray(y), labels, index, x))).astype(np.real(x).dtype)
    count = np.asarray(ndimage.sum_labels(hit, labels, index), hit.dtype)
    return hit / np.maximum(spread(count, labels, index, x), 1)


def count_of(x: Any, labels: Any, index: Any) -> Any:
    """How many elements each part has."""
    counts = ndimage.sum_labels(np.ones(np.shape(x)), labels, index)
    return np.asarray(counts, np.float64)[()]


registry.add_making([summed, spread, extreme])
nondifferentiable(share_of, count_of)


@linear(summed)
def sums(y, x, labels, index, kind=None):
    d[x] = spread(d[y], labels, index, x)


@linear(spread)
def spreads(y, g, labels, index, like):
    d[g] = summed(d[y], labels, index, np.result_type(g))
    d[like] = 0.0


@adjoint(extreme)
def extremes(y, x, name, labels, index):
    d[x] = spread(d[y], labels, index, x) * share_of(y, x, labels, index)


def sum_labels(input, labels=None, index=None):
    return summed(np.asarray(input), labels, index)


def mean(input, labels=None, index=None):
    x = np.asarray(input)
    return summed(x, labels, index) / count_of(x, labels, index)


def variance(input, labels=None, index=None):
    x = np.asarray(input)
    counts = count_of(x, labels, index)
    means = summed(x, labels, index) / counts
    away = x - spread(np.asarray(means), labels, index, x)
    return summed(away * away, labels, index) / counts


def standard_deviation(input, labels=None, index=None):
    """Of a part of equal elements the derivative is 0, the middle of the subgradients."""
    found = variance(input, labels, index)
    flat = found == 0
    return np.where(flat, 0.0, np.sqrt(np.where(flat, 1.0, found)))[()]


def minimum(input, labels=None, index=None):
    return extreme(np.asarray(input), "minimum", labels, index)


def maximum(input, labels=None, index=None):
    return extreme(np.asarray(input), "maximum", labels, index)


def extrema(input, labels=None, index=None):
    low = ndimage.minimum_position(input, labels, index)
    high = ndimage.maximum_position(input, labels, index)
    return minimum(input, labels, index), maximum(input, labels, index), low, high


def center_of_mass(input, labels=None, index=None):
    x = np.asarray(input)
    weight = summed(x, labels, index)
    places = np.indices(np.shape(x)).astype(float)
    each = [summed(x * places[k], labels, index) / weight for k in range(np.ndim(x))]
    if np.ndim(weight) == 0:
        return tuple(each)
    return [tuple([each[k][i] for k in range(np.ndim(x))]) for i in range(len(weight))]


registry.add_written(
    {
        ndimage.sum_labels: sum_labels,
        ndimage.sum: sum_labels,
        ndimage.mean: mean,
        ndimage.variance: variance,
        ndimage.standard_deviation: standard_deviation,
        ndimage.minimum: minimum,
        ndimage.maximum: maximum,
        ndimage.extrema: extrema,
        ndimage.center_of_mass: center_of_mass,
    }
)
_WITHOUT = """
    binary_closing binary_dilation binary_erosion binary_fill_holes binary_hit_or_miss
    binary_opening binary_propagation distance_transform_cdt find_objects
    generate_binary_structure histogram iterate_structure label
    maximum_position minimum_position value_indices watershed_ift
""".split()
nondifferentiable(*(getattr(ndimage, name) for name in _WITHOUT if hasattr(ndimage, name)))


@adjoint(ndimage.distance_transform_edt)
def distances(y, input, sampling=None, return_distances=True, return_indices=False):
    """Of which elements are 0: there is no derivative, and none yet in the steps of the grid."""
    d[input] = 0.0


@adjoint(ndimage.distance_transform_bf)
def other_distances(y, input, metric="euclidean", sampling=None, return_distances=True):
    d[input] = 0.0
