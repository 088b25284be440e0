"""Adjoints of the methods of ufuncs: `reduce`, `accumulate`, `reduceat`."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.broadcasting import conj
from autodiff.runtime.extrema import others, winners


def fold_back(g: Any, left: Any, right: Any, axis: int) -> Any:
    """The adjoint of `x` when `g` is that of `y = f.accumulate(x, axis)`.

    `left` and `right` are the derivatives of `y[k] = f(y[k - 1], x[k])` for k = 1, 2 ...

    >>> fold_back(np.array([1.0, 1.0, 1.0]), np.array([2.0, 2.0]), np.array([1.0, 1.0]), 0)
    array([7., 3., 1.])
    """
    result = np.moveaxis(np.array(g, np.result_type(g, right)), axis, 0)
    left, right = conj(np.moveaxis(left, axis, 0)), conj(np.moveaxis(right, axis, 0))
    for k in range(len(result) - 2, -1, -1):
        result[k] += result[k + 1] * left[k]
    result[1:] *= right
    return np.moveaxis(result, 0, axis)


def without_end(x: Any, axis: int) -> Any:
    """All but the last along an axis."""
    return np.moveaxis(np.moveaxis(x, axis, 0)[:-1], 0, axis)


def without_start(x: Any, axis: int) -> Any:
    """All but the first along an axis."""
    return np.moveaxis(np.moveaxis(x, axis, 0)[1:], 0, axis)


def reduceat_adjoint(g: Any, x: Any, y: Any, indices: Any, axis: int, slope: Any) -> Any:
    """The adjoint of `x` when `g` is that of `y = f.reduceat(x, indices, axis)`.

    `slope(part, y)` is the derivative of the reduction over the first axis of a part.
    """
    x = np.moveaxis(np.asarray(x), axis, 0)
    g, y = np.moveaxis(np.asarray(g), axis, 0), np.moveaxis(np.asarray(y), axis, 0)
    result = np.zeros(x.shape, np.result_type(g, x))
    ends = [*indices[1:], len(x)]
    for k, (start, end) in enumerate(zip(indices, ends)):
        part = slice(start, max(end, start + 1))
        result[part] += g[k] * conj(slope(x[part], y[k]))
    return np.moveaxis(result, 0, axis)


def sum_slope(part: Any, y: Any) -> Any:
    """Each element counts once."""
    return np.ones_like(part)


def product_slope(part: Any, y: Any) -> Any:
    """Each element counts as much as the product of the others says."""
    return others(part, 0)


def extremum_slope(part: Any, y: Any) -> Any:
    """The best elements share equally."""
    return winners(part, y, 0)


def exponential_slope(part: Any, y: Any) -> Any:
    """The share of each element in the sum of exponentials."""
    return np.exp(part - np.where(y == -np.inf, 0.0, y))


def binary_exponential_slope(part: Any, y: Any) -> Any:
    """The share of each element in the sum of powers of two."""
    return np.exp2(part - np.where(y == -np.inf, 0.0, y))
