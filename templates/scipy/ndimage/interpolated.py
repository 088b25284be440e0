"""Splines on a grid, at any places: how much each coefficient counts there, and its derivatives.

Coefficients go on behind the ends of the grid, where `mode` says how. `orders` has an order of
derivation for each axis; without it is the spline itself. At a knot the derivative is that on its
right.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from autodiff.rules import adjoint, d, registry
from autodiff.runtime import conj


def bump(u: Any, degree: int) -> Any:
    """The spline of a degree around 0, of which the integers are knots, or what is between them."""
    parts = [
        (-1) ** i * math.comb(degree + 1, i) * np.where(u >= s, (u - s) ** degree, 0.0)
        for i in range(degree + 2)
        for s in [i - (degree + 1) / 2]
    ]
    return sum(parts) / math.factorial(degree)


def slope_of_bump(u: Any, degree: int, order: int) -> Any:
    """A derivative of it: differences of such of lower degree."""
    if order > degree:
        return np.zeros(np.shape(u))
    steps = [(-1) ** i * math.comb(order, i) for i in range(order + 1)]
    return sum(c * bump(u + order / 2 - i, degree - order) for i, c in enumerate(steps))


def along_axis(at: Any, n: int, degree: int, mode: str, order: int) -> list[tuple[Any, Any]]:
    """For each knot that counts: at which coefficients it is, and how much it counts."""
    inside = (at >= 0) & (at <= n - 1)
    counts = np.ones(np.shape(at))
    if mode == "constant":
        counts = np.where(inside, counts, 0.0)
        at = np.where(inside, at, 0.0)
    elif mode == "wrap" and n > 1:
        turns = np.where(at < 0, np.floor(-at / (n - 1)) + 1, -np.floor(at / (n - 1)))
        at = np.where(inside, at, at + (n - 1) * turns)
    first = np.floor(at if degree % 2 else at + 0.5).astype(int) - degree // 2
    found = []
    for k in range(degree + 1):
        weight = counts * slope_of_bump(at - (first + k), degree, order)
        found.append(_continued(first + k, n, mode, weight))
    return found


def _continued(place: Any, n: int, mode: str, weight: Any) -> tuple[Any, Any]:
    """The coefficients that are meant by places behind the ends."""
    if mode == "grid-constant":
        weight = np.where((place >= 0) & (place < n), weight, 0.0)
    if mode in ("nearest", "grid-constant"):
        return np.clip(place, 0, n - 1), weight
    if mode == "grid-wrap":
        return np.mod(place, n), weight
    if mode in ("reflect", "grid-mirror"):
        place = np.mod(place, 2 * n)
        return np.where(place < n, place, 2 * n - 1 - place), weight
    period = max(2 * n - 2, 1)
    place = np.mod(place, period)
    return np.where(place < n, place, period - place), weight


def _terms(at: Any, shape: Any, degree: int, mode: str, orders: Any = ()) -> Any:
    """The places in the flat grid, and what they count, of each product of knots."""
    orders = orders or (0,) * len(shape)
    axes = [
        along_axis(at[k], n, degree, mode, order) for k, (n, order) in enumerate(zip(shape, orders))
    ]
    for knots in itertools.product(*axes):
        place, weight = 0, 1.0
        for n, (own, counts) in zip(shape, knots):
            place, weight = place * n + own, weight * counts
        yield place, weight


def sampled(c: Any, at: Any, degree: int, mode: str, orders: Any = ()) -> Any:
    """A derivative of the spline of coefficients `c`, at places `at`."""
    flat = np.ravel(c)
    result = np.zeros(np.shape(at)[1:], np.result_type(flat, at))
    for place, weight in _terms(at, np.shape(c), degree, mode, orders):
        result += weight * flat[place]
    return result


def scattered(g: Any, at: Any, shape: Any, degree: int, mode: str, orders: Any = ()) -> Any:
    """The adjoint of the coefficients, when `g` is that of `sampled`."""
    if np.iscomplexobj(g):
        real = scattered(np.real(g), at, shape, degree, mode, orders)
        return real + 1j * scattered(np.imag(g), at, shape, degree, mode, orders)
    result = np.zeros(math.prod(shape))
    for place, weight in _terms(at, shape, degree, mode, orders):
        result += np.bincount(np.ravel(place), np.ravel(weight * g), math.prod(shape))
    return result.reshape(shape).astype(np.result_type(g), copy=False)


def _raised(orders: Any, axis: int, ndim: int) -> tuple[int, ...]:
    return tuple(order + (k == axis) for k, order in enumerate(orders or (0,) * ndim))


def at_places(g: Any, c: Any, at: Any, degree: int, mode: str, orders: Any = ()) -> Any:
    """The adjoint of the places, when `g` is that of `sampled`."""
    each = [sampled(c, at, degree, mode, _raised(orders, k, len(at))) for k in range(len(at))]
    return np.stack([np.real(conj(own) * g) for own in each]).astype(at.dtype, copy=False)


def moved_places(v: Any, c: Any, at: Any, degree: int, mode: str, orders: Any = ()) -> Any:
    """How `sampled` changes when the places move by `v`."""
    each = [sampled(c, at, degree, mode, _raised(orders, k, len(at))) for k in range(len(at))]
    return sum(own * step for own, step in zip(each, v))


def scattered_moved(
    v: Any, g: Any, at: Any, shape: Any, degree: int, mode: str, orders: Any = ()
) -> Any:
    """The adjoint of the coefficients, when `g` is that of `moved_places`."""
    return sum(
        scattered(g * step, at, shape, degree, mode, _raised(orders, k, len(at)))
        for k, step in enumerate(v)
    )


def places_again(g: Any, v: Any, c: Any, at: Any, degree: int, mode: str, orders: Any = ()) -> Any:
    """The adjoint of the places, when `g` is that of `moved_places`."""
    return sum(
        at_places(g * step, c, at, degree, mode, _raised(orders, k, len(at)))
        for k, step in enumerate(v)
    )


registry.add_making([sampled, scattered, at_places, moved_places, scattered_moved, places_again])


@adjoint(sampled)
def sample(y, c, at, degree, mode, orders=()):
    d[c] = scattered(d[y], at, np.shape(c), degree, mode, orders)
    d[at] = at_places(d[y], c, at, degree, mode, orders)


@adjoint(scattered)
def scatter(y, g, at, shape, degree, mode, orders=()):
    d[g] = sampled(d[y], at, degree, mode, orders)
    d[at] = at_places(g, d[y], at, degree, mode, orders)


@adjoint(at_places)
def slopes(y, g, c, at, degree, mode, orders=()):
    d[g] = moved_places(d[y], c, at, degree, mode, orders)
    d[c] = scattered_moved(d[y], g, at, np.shape(c), degree, mode, orders)
    d[at] = places_again(g, d[y], c, at, degree, mode, orders)


@adjoint(moved_places)
def moves(y, v, c, at, degree, mode, orders=()):
    d[v] = at_places(d[y], c, at, degree, mode, orders)
    d[c] = scattered_moved(v, d[y], at, np.shape(c), degree, mode, orders)
    d[at] = places_again(d[y], v, c, at, degree, mode, orders)


@adjoint(scattered_moved)
def scatters(y, v, g, at, shape, degree, mode, orders=()):
    d[v] = at_places(g, d[y], at, degree, mode, orders)
    d[g] = moved_places(v, d[y], at, degree, mode, orders)
    d[at] = places_again(g, v, d[y], at, degree, mode, orders)
