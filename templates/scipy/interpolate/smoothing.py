"""Splines that smooth, in terms of NumPy, with the knots that FITPACK found: those inside are
points of the data. How much is smoothed it finds by a few steps of an iteration, which is the same
here. Source: P. Dierckx, J. Comput. Appl. Math. 1 (1975) 165, and fpcurf.f, fpperi.f, fppara.f.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from autodiff.templates.scipy.interpolate.bases import design, nearest
from autodiff.templates.scipy.interpolate.knots import (
    agree,
    among,
    as_found,
    is_minimum,
    nearly_solved,
)
from scipy.interpolate import _bsplines

from autodiff.rules import registry
from autodiff.rules.taking import add_recipes
from autodiff.runtime import valued

_LARGER, _LITTLE, _MUCH, _STEPS, _CLOSE = 0.04, 0.1, 0.9, 20, 1e-3


def placed(found, k, x, low, high, periodic):
    """The knots as a function of the points that they are, and of the ends."""
    at = among(x, found[k + 1 : len(found) - k - 1])
    if at is not None:
        inside = x[at]
    elif periodic:
        inside = (x[:-2] + x[1:-1]) / 2
    else:
        inside = (x[k // 2 + 1 : len(x) - k // 2] + x[k // 2 : len(x) - k // 2 - 1]) / 2
    if not periodic:
        return np.concatenate((np.repeat(low, k + 1), inside, np.repeat(high, k + 1)))
    whole = np.concatenate((x[:1], inside))
    place = np.arange(-k, len(whole) + k + 1)
    return whole[place % len(whole)] + place // len(whole) * (x[-1] - x[0])


def jumps(t, k):
    """Of the highest derivatives of all B-splines at the knots inside: a row for each knot."""
    count = len(t) - 2 * k - 2
    scale = ((t[len(t) - k - 1] - t[k]) / (count + 1)) ** k
    made = np.zeros((count, len(t) - k - 1))
    for i in range(k + 2):
        first = np.arange(count) + i
        knot = t[np.arange(count) + k + 1]
        product = np.ones(count)
        for j in range(k + 2):
            if i + j != k + 1:
                product = product * (knot - t[first + j])
        made[np.arange(count), first] = scale * (t[first + k + 1] - t[first]) / product
    return made


def step(p1, f1, p2, f2, p3, f3):
    """The zero of a rational function; p3 is infinite at first."""
    if np.isinf(p3):
        return (p1 * (f1 - f3) * f2 - p2 * (f2 - f3) * f1) / ((f1 - f2) * f3)
    h1, h2, h3 = f1 * (f2 - f3), f2 * (f3 - f1), f3 * (f1 - f2)
    return -(p1 * p2 * h3 + p2 * p3 * h1 + p1 * p3 * h2) / (p1 * h1 + p2 * h2 + p3 * h3)


def away(whole, c, right):
    return np.sum((right - whole @ c) ** 2)


def iterated(whole, jump, right, s, f1, f3):
    """The coefficients for which the sum of squares is nearly `s`: 0 in the limits f1 and f3."""
    close = _CLOSE * s
    root, _ = nearly_solved(whole, right)
    even = whole @ root
    sides = np.diag(np.linalg.cholesky(even.T @ even)) / np.abs(np.diag(root))
    p, p1, p3 = len(sides) / np.sum(sides), 0.0, np.inf
    low_is_fine = high_is_fine = False
    more = np.zeros((len(jump), right.shape[1]))
    for _ in range(_STEPS):
        c = nearest(np.concatenate((whole, jump / p)), np.concatenate((right, more)))
        p2, f2 = p, away(whole, c, right) - s
        if np.abs(f2) < close:
            break
        if not high_is_fine:
            if f2 - f3 <= close:
                p3, f3, p = p2, f2, p * _LARGER
                if p <= p1:
                    p = p1 * _MUCH + p2 * _LITTLE
                continue
            high_is_fine = bool(f2 < 0)
        if not low_is_fine:
            if f1 - f2 <= close:
                p1, f1, p = p2, f2, p / _LARGER
                if p >= p3 and not np.isinf(p3):
                    p = p2 * _LITTLE + p3 * _MUCH
                continue
            low_is_fine = bool(f2 > 0)
        if f2 >= f1 or f2 <= f3:
            break
        p = step(p1, f1, p2, f2, p3, f3)
        if f2 < 0:
            p3, f3 = p2, f2
        else:
            p1, f1 = p2, f2
    return c


def smoothed(t, values, ended, x, y, w, k, s, periodic=False):
    """The coefficients and the sum of squares of a spline near columns of values.

    values: the coefficients that were found; ended: how FITPACK says that it came to these.
    """
    count = len(t) - k - 1
    within = count - k if periodic else count
    fold = np.zeros((count, within))
    fold[np.arange(count), np.arange(count) % within] = 1.0
    own = len(x) - 1 if periodic else len(x)
    weights = w[:own, None]
    whole, right = weights * (design(t, k, x[:own]) @ fold), weights * y[:own]
    c = nearest(whole, right)
    if ended in (0, 2, 3):
        f3 = away(whole, c, right) - s
        if not np.abs(f3) < _CLOSE * s:
            ends = x[:own, None] ** 0
            if not periodic:
                ends = design(np.concatenate((t[: k + 1], t[count:])), k, x)
            flat = weights * ends
            f1 = away(flat, nearest(flat, right), right) - s
            c = iterated(whole, jumps(t, k) @ fold, right, s, f1, f3)
    made = fold @ c
    agree(values, made)
    return valued(values, made), away(whole, c, right)


def dense(band):
    """The matrix of five diagonals as LAPACK stores them."""
    return sum(np.diag(band[2 - j, max(j, 0) : len(band[0]) + min(j, 0)], j) for j in range(-2, 3))


def steps_to_a_minimum(lam, whole, bend, y):
    """Newton's, to where the logarithm of |E c|**2 / trace(P)**2 has the slope 0, which is twice
    what is written here: c = P y / E, P = E / (X + lam E).
    """
    for _ in range(2):
        inverse = np.linalg.inv(whole + lam * bend)
        c, part = inverse @ y, inverse @ bend
        once = part @ c
        u, down, twice = bend @ c, bend @ once, bend @ (part @ once)
        one, two, three = np.trace(part), np.sum(part * part.T), np.sum((part @ part) * part.T)
        size = u @ u
        slope = two / one - u @ down / size
        change = (down @ down + 2 * u @ twice) / size - 2 * (u @ down / size) ** 2
        lam = lam - slope / (change + (two / one) ** 2 - 2 * three / one)
    return lam


def smoothing_parameter(X, wE, y, w):
    found = as_found(_bsplines._compute_optimal_gcv_parameter, X, wE, y, w)
    whole, bend = dense(X), dense(wE)
    columns = np.reshape(y, (len(y), -1))
    made = np.stack(
        [
            steps_to_a_minimum(lam, whole, bend, columns[:, i])
            for i, lam in enumerate(np.reshape(found, -1))
        ]
    )
    made = np.reshape(made, np.shape(found))
    is_minimum(found, made)
    return valued(found, made)


registry.add_written({_bsplines._compute_optimal_gcv_parameter: smoothing_parameter})
add_recipes(__name__)
