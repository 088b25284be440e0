"""A package that users call: its functions read what stands in its module."""

from __future__ import annotations

import math
import sys

import numpy as np

LIMIT = 2040.0


def by_limit(x, way):
    if x < LIMIT or way == "laminar":
        return 64.0 / x
    return x**-0.25


FACTORS = [1.0 + 0.05 * k for k in range(40)]
WAYS = frozenset(["laminar", "turbulent", "mixed"])
KNOWN = {f"way {k}": k for k in range(200)}


def first_above(x, least):
    """The first of many factors by which `x` is above the least."""
    for factor in FACTORS:
        if x * factor > least:
            break
    return x * factor * factor


def polynomial(x, coefficients):
    total = 0.0
    for c in coefficients:
        total = total * x + c
    return total


def in_a_known_way(x, way):
    if way not in WAYS or way in KNOWN:
        return x
    return x * x if "way 7" in KNOWN else x * x * x


def norm(values):
    """Of a number, or of a sequence."""
    try:
        return abs(float(values))
    except TypeError:
        pass
    if len(values) > 9:
        raise ValueError("expected {} {!r}, got {n}".format(9, values, n=len(values)))
    return np.sqrt(np.sum(np.asarray(values) ** 2))


def region(x):
    if x > 0.0:
        return 1
    if x < -1.0:
        return 2
    return None


def by_region(x):
    own = region(x)
    if own == 1:
        return x * x
    return x * x * x if own != None else -x  # noqa: E711


def of_floats(values):
    copied = np.array(values)
    if not (copied.dtype == np.dtype(int) or copied.dtype == np.dtype(float)):
        raise TypeError(f"numbers, not {copied.dtype.name}")
    return np.sum(copied * copied)


def shaped(z, h):
    if np.isscalar(h):
        h = np.array([h])
    hz = np.atleast_1d(np.dot(h, z))
    return hz[0] * hz.shape[0]


def checked(values):
    """All of them as numbers, or an error that says so."""
    try:
        found = [float(each) for each in values]
    except ValueError:
        raise ValueError(f"no numbers: {values!r}") from None
    else:
        return np.asarray(found) * len(found)


def mean(rows, weights, function=None):
    try:
        if function is None:
            x = np.dot(weights, rows) * np.linalg.norm(rows)
        else:
            x = function(rows, weights)
        y = np.linalg.inv(np.outer(x, x) + np.eye(len(x)))
    except:
        print(rows)
        raise
    return x, y


def partly(x, rows):
    """An error that the caller catches: what came before it stays."""
    try:
        x = x * 2.0
        x = x * rows[3]
    except IndexError:
        raise ValueError(rows) from None
    return x


LEAST = sys.float_info


def residual(x, y, function=None):
    if function is None or function is np.subtract:
        return x - y
    return function(x, y) if function is not np.add else x + y + math.log(LEAST.min)


def axis_of(**given):
    try:
        axis = checked(given["axis"])
    except KeyError:
        raise ValueError("an axis is needed") from None
    return axis * given.get("length", 1.0)


def two_of(values):
    if sum(values - 1.0) == 0.0:
        return np.zeros(2)
    if len(values) != 3:
        return None
    return values[:2] * values[2]


def where_it_may_be_divided(x, flag=True):
    """Of a number, or of an array."""
    r = np.sqrt(np.asarray(x) ** 2 + 1.0)
    found = np.empty_like(r)
    bad = np.isclose(r, 0.0) | np.isclose(r, 1.0)
    found[~bad] = np.arctan(r[~bad]) / r[~bad]
    found[bad] = x[bad] if np.ndim(x) else 0.0
    found[flag] += r[flag] * r[flag]
    return found


def with_or_without(x):
    """By NumPy, or without it."""
    try:
        x = np.asarray(x)
        found = np.dot(x, x) * np.linalg.inv(np.eye(2) * np.sum(x))[0, 0]
    except NameError:
        found = math.fsum(x)
    return found


class Variable:
    """A number that dicts are asked for by itself."""

    def __init__(self, value, spread):
        self.value, self.spread = value, spread
        self.slopes = {self: 1.0}

    def __eq__(self, other):
        raise NotImplementedError

    def __hash__(self):
        return id(self)


def spread_of(x, y):
    one, two = Variable(x, 0.5), Variable(x * y, y)
    slopes = {**one.slopes, two: x}
    slopes[two] += two.slopes[two] * y
    return sum(slopes[each] * each.spread * each.value for each in slopes)


class Fluid:
    """A fluid whose class has its constants."""

    constants: dict = {}
    powers = [1, 2]
    limits = (0.1, 5.0)

    def __init__(self, t):
        self.t = t
        self.r = self.constants["r"] / self.constants.get("m", 2.0)

    def energy(self):
        total = 0.0
        for n, p in zip(self.constants["n"], self.powers):
            total = total + n * self.t**p
        low, high = self.limits
        return total * self.r * (self.t if low < self.t < high else 1.0)


class Water(Fluid):
    constants = {"r": 8.3, "n": [0.5, 2.0]}


def limited_by(x, low=None):
    if x > 0.0 and low is not None:
        return x if x < low else low * x
    try:
        return x if x < low else low
    except TypeError:
        return x * x
