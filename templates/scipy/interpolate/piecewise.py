"""SciPy's functions in C of piecewise polynomials, in terms of NumPy: `PPoly`, `BPoly`, and what is
derived from these (`CubicSpline`, `PchipInterpolator`, `Akima1DInterpolator` ...) are in Python.

Of the polynomial in interval i the coefficients are c[:, i], highest first, in powers of x - x[i].
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import math

import numpy as np
from autodiff.templates.scipy.interpolate.places import are_outside, intervals
from scipy.interpolate import _ppoly

from autodiff.rules import registry
from autodiff.rules.taking import add_recipes


def evaluate(c, x, xp, dx, extrapolate, out):
    if dx < 0:
        raise NotImplementedError("a negative `nu` has no derivative rule: use antiderivative()")
    i = intervals(x, xp)
    step = (xp - x[i])[:, None]
    made = np.zeros(out.shape, out.dtype)
    for power in range(len(c) - 1, dx - 1, -1):  # Horner's scheme, of the derivative
        made = made * step + math.perm(power, dx) * c[len(c) - 1 - power, i, :]
    if not extrapolate:
        made = np.where(are_outside(x, xp)[:, None], np.nan, made)
    out[...] = np.where(np.isnan(xp)[:, None], np.nan, made)


def evaluate_bernstein(c, x, xp, nu, extrapolate, out):
    i = intervals(x, xp)
    width = (x[i + 1] - x[i])[:, None]
    part = (xp - x[i])[:, None] / width
    points = c[:, i, :]
    for order in range(nu):  # the slope has one coefficient less
        points = (len(c) - 1 - order) * (points[1:] - points[:-1]) / width
    if len(c) <= nu:
        points = np.zeros((1, *out.shape), out.dtype)
    while len(points) > 1:  # de Casteljau's scheme
        points = (1 - part) * points[:-1] + part * points[1:]
    made = points[0]
    if not extrapolate:
        made = np.where(are_outside(x, xp)[:, None], np.nan, made)
    out[...] = np.where(np.isnan(xp)[:, None], np.nan, made)


def fix_continuity(c, x, order):
    for i in range(1, c.shape[1]):
        step = x[i] - x[i - 1]
        for dx in range(order, -1, -1):  # the terms of Taylor's series at the end of the one before
            made = np.zeros(c.shape[2], c.dtype)
            for power in range(len(c) - 1, dx - 1, -1):
                made = made * step + math.comb(power, dx) * c[len(c) - 1 - power, i - 1]
            c[len(c) - 1 - dx, i] = made


def integrate(c, x, a, b, extrapolate, out):
    if not extrapolate and np.any(are_outside(x, np.array([a, b]))):
        out[...] = np.nan
        return
    if x[-1] < x[0]:
        raise NotImplementedError("an integral over breakpoints that fall has no derivative rule")
    first, last = intervals(x, np.array([a, b]))
    total = np.zeros(c.shape[2], c.dtype)
    for i in range(first, last + 1):
        low = a - x[i] if i == first else 0.0 * x[i]
        high = b - x[i] if i == last else x[i + 1] - x[i]
        for k in range(len(c)):
            power = len(c) - k
            total = total + c[k, i] * ((high**power - low**power) / power)
    out[...] = total


registry.add_written(
    {
        _ppoly.evaluate: evaluate,
        _ppoly.evaluate_bernstein: evaluate_bernstein,
        _ppoly.fix_continuity: fix_continuity,
        _ppoly.integrate: integrate,
    }
)
add_recipes(__name__)
