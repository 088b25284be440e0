"""Random numbers whose distribution has parameters, as functions of numbers that have none.

    y = rng.normal(mean, width)          y = mean + width * rng.standard_normal()

So a derivative flows to the parameters for the numbers that are drawn, as it does through the right
side. The numbers are those that NumPy draws. The parameters whose numbers NumPy finds by
trial (the shape of a gamma distribution) have no such form.

Two tests where one would do: the call decides the first, the kinds of the parameters the second.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def normal(rng: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    """`rng.normal`."""
    if size is None:
        if np.ndim(loc) + np.ndim(scale) > 0:
            size = np.broadcast_shapes(np.shape(loc), np.shape(scale))
    return loc + scale * rng.standard_normal(size)


def uniform(rng: Any, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    """`rng.uniform`."""
    if size is None:
        if np.ndim(low) + np.ndim(high) > 0:
            size = np.broadcast_shapes(np.shape(low), np.shape(high))
    return low + (high - low) * rng.random(size)


def exponential(rng: Any, scale: Any = 1.0, size: Any = None) -> Any:
    """`rng.exponential`."""
    if size is None:
        if np.ndim(scale) > 0:
            size = np.shape(scale)
    return scale * rng.standard_exponential(size)


def gamma(rng: Any, shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
    """`rng.gamma`."""
    if size is None:
        if np.ndim(shape) + np.ndim(scale) > 0:
            size = np.broadcast_shapes(np.shape(shape), np.shape(scale))
    return scale * rng.standard_gamma(shape, size)


def laplace(rng: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    """`rng.laplace`."""
    if size is None:
        if np.ndim(loc) + np.ndim(scale) > 0:
            size = np.broadcast_shapes(np.shape(loc), np.shape(scale))
    return loc + scale * rng.laplace(0.0, 1.0, size)


def logistic(rng: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    """`rng.logistic`."""
    if size is None:
        if np.ndim(loc) + np.ndim(scale) > 0:
            size = np.broadcast_shapes(np.shape(loc), np.shape(scale))
    return loc + scale * rng.logistic(0.0, 1.0, size)


def gumbel(rng: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    """`rng.gumbel`."""
    if size is None:
        if np.ndim(loc) + np.ndim(scale) > 0:
            size = np.broadcast_shapes(np.shape(loc), np.shape(scale))
    return loc + scale * rng.gumbel(0.0, 1.0, size)


def rayleigh(rng: Any, scale: Any = 1.0, size: Any = None) -> Any:
    """`rng.rayleigh`."""
    if size is None:
        if np.ndim(scale) > 0:
            size = np.shape(scale)
    return scale * rng.rayleigh(1.0, size)


def lognormal(rng: Any, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
    """`rng.lognormal`."""
    if size is None:
        if np.ndim(mean) + np.ndim(sigma) > 0:
            size = np.broadcast_shapes(np.shape(mean), np.shape(sigma))
    return np.exp(mean + sigma * rng.standard_normal(size))


def choice(
    rng: Any,
    a: Any,
    size: Any = None,
    replace: bool = True,
    p: Any = None,
    axis: int = 0,
    **named: Any,
) -> Any:
    """`rng.choice`: the same draws choose among places."""
    if np.ndim(a) == 0:
        return rng.choice(a, size, replace, p, **named)
    p = None if p is None else np.asarray(p)
    places = rng.choice(np.shape(a)[axis], size, replace, p, **named)
    return np.take(a, places, axis)


def multivariate_normal(
    rng: Any, mean: Any, cov: Any, size: Any = None, *rest: Any, **named: Any
) -> Any:
    """`rng.multivariate_normal`, in its mean."""
    return mean + rng.multivariate_normal(np.zeros(np.shape(mean), int), cov, size, *rest, **named)


def permutation(rng: Any, x: Any) -> Any:
    """`rng.permutation` of an array, where that is followed."""
    return x[rng.permutation(len(x))]


def shuffle(rng: Any, x: Any) -> None:
    """`rng.shuffle` of an array, where that is followed."""
    x[...] = x[rng.permutation(len(x))]


OF_FIRST = ("choice", "multivariate_normal")
"""Those that are written so for their first argument alone."""

MOVES = {"permutation": permutation, "shuffle": shuffle}
DRAWS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        *(normal, uniform, exponential, gamma, laplace, logistic, gumbel, rayleigh, lognormal),
        *(choice, multivariate_normal),
    )
}
