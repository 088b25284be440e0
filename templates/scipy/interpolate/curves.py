"""FITPACK's splines, in terms of NumPy: `UnivariateSpline`, `RectBivariateSpline`, `splrep`,
`splev` and their kin are in Python. Through all values, that is; one that smoothes finds its knots
by trial, and is refused.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from autodiff.templates.scipy.interpolate.bases import bases, coloc, fitted, splined
from autodiff.templates.scipy.interpolate.places import beyond_knots
from scipy import linalg
from scipy.interpolate import _fitpack2

from autodiff.rules import registry
from autodiff.rules.taking import add_recipes

_SMOOTHING = "a spline that smoothes (s > 0) finds its knots by trial and has no derivative rule: "
_INSTEAD = "use s=0, make_lsq_spline with knots, or make_smoothing_spline with lam"


def through(x, y, k, first, last):
    """The knots and coefficients of the spline through values, with knots at the points."""
    if k % 2:
        inner = x[(k + 1) // 2 : len(x) - (k + 1) // 2]
    else:
        inner = (x[k // 2 + 1 : len(x) - k // 2] + x[k // 2 : len(x) - k // 2 - 1]) / 2
    low = x[0] if first is None else first
    high = x[-1] if last is None else last
    t = np.concatenate((np.repeat(low, k + 1), inner, np.repeat(high, k + 1)))
    band = np.zeros((len(x), 3 * k + 1))
    coloc(x, t, k, band)
    return t, linalg.solve_banded((k, k), band.T[k:], y)


def fpcurf0(x, y, k, w=None, xb=None, xe=None, s=None, nest=None):
    if s is None or s > 0:
        raise NotImplementedError(_SMOOTHING + _INSTEAD)
    t, c = through(x, y, k, xb, xe)
    filled = np.concatenate((c, np.zeros(k + 1)))
    weights = np.ones(len(x)) if w is None else w
    rest = np.zeros(len(t)), np.zeros(len(t), int)
    return (x, y, weights, t[0], t[-1], k, s, len(t), t, filled, 0.0, *rest, -1)


def fpcurfm1(x, y, k, t, w=None, xb=None, xe=None, overwrite_t=1):
    weights = np.ones(len(x)) if w is None else w
    c, whole = fitted(t, k, x, y[:, None], weights)
    away = np.sum((weights * (y - whole @ c[:, 0])) ** 2)
    filled = np.concatenate((c[:, 0], np.zeros(k + 1)))
    rest = np.zeros(len(t)), np.zeros(len(t), int)
    return (x, y, weights, t[0], t[-1], k, -1.0, len(t), t, filled, away, *rest, 0)


def curfit(task, x, y, w, t, work, places, xb, xe, k, s):
    n, knots, c, away, said = curfit_in_c(task, x, y, w, xb, xe, k, s, t, work, places)
    t[...] = knots
    return n, c, away, said


def splder(t, c, k, x, nu, ext):
    """Outside: the polynomials at the ends go on, but for ext = 1, where it is 0."""
    made = splined(t, c[: len(t) - k - 1, None], k, x, nu)[:, 0]
    outside = beyond_knots(t, k, x)
    if ext == 2 and np.any(outside):
        return made, 1
    return np.where(outside & (ext == 1), 0.0, made), 0


def splev(t, c, k, x, ext=0):
    """The same; for ext = 3 the value at the end."""
    at = np.clip(x, t[k], t[len(t) - k - 1]) if ext == 3 else x
    return splder(t, c, k, at, 0, ext)


def integrals(t, k, a, b):
    """Of all B-splines, which are 0 outside of the knots."""
    widths = (t[k + 1 :] - t[: len(t) - k - 1]) / (k + 1)
    sums = np.zeros((len(widths) + 1, len(widths)))
    sums[1:] = np.cumsum(np.diag(widths), axis=0)
    longer = np.concatenate((t[:1], t, t[-1:]))
    ends = np.clip(np.stack((a, b)), t[k], t[len(t) - k - 1])
    low, high = splined(longer, sums, k + 1, ends)
    return high - low


def splint(t, c, k, a, b):
    return integrals(t, k, a, b) @ c[: len(t) - k - 1], np.zeros(len(t))


def dblint(tx, ty, c, kx, ky, xb, xe, yb, ye):
    table = c.reshape(len(tx) - kx - 1, len(ty) - ky - 1)
    return integrals(tx, kx, xb, xe) @ table @ integrals(ty, ky, yb, ye)


def spalde(t, c, order, x):
    slopes = [splder(t, c, order - 1, np.reshape(x, 1), nu, 0)[0] for nu in range(order)]
    return np.concatenate(slopes), 0


def across(t, k, x, nu=0):
    """All B-splines in all points, of which those outside are moved to the ends."""
    x = np.atleast_1d(x)
    inside = np.clip(x, t[k], t[len(t) - k - 1])
    values, first = bases(t, k, inside, nu)
    whole = np.zeros((len(x), len(t) - k - 1))
    for j in range(k + 1):
        whole[np.arange(len(x)), first + j] = values[:, j]
    return whole


def parder(tx, ty, c, kx, ky, dx, dy, x, y):
    table = c.reshape(len(tx) - kx - 1, len(ty) - ky - 1)
    return across(tx, kx, x, dx) @ table @ across(ty, ky, y, dy).T, 0


def bispev(tx, ty, c, kx, ky, x, y):
    return parder(tx, ty, c, kx, ky, 0, 0, x, y)


def pardeu(tx, ty, c, kx, ky, dx, dy, x, y):
    table = c.reshape(len(tx) - kx - 1, len(ty) - ky - 1)
    return np.sum(across(tx, kx, x, dx) @ table * across(ty, ky, y, dy), axis=1), 0


def bispeu(tx, ty, c, kx, ky, x, y):
    return pardeu(tx, ty, c, kx, ky, 0, 0, x, y)


def regrid_smth(x, y, z, xb=None, xe=None, yb=None, ye=None, kx=3, ky=3, s=0.0, maxit=20):
    if s > 0:
        raise NotImplementedError(_SMOOTHING + "use s=0")
    tx, rows = through(x, z.reshape(len(x), len(y)), kx, xb, xe)
    ty, table = through(y, rows.T, ky, yb, ye)
    return len(tx), tx, len(ty), ty, table.T.reshape(-1), 0.0, -1


def curfit_in_c(task, x, y, w, xb, xe, k, s, t, work, places):
    """The same of SciPy 1.18, where FITPACK is in C."""
    if task == -1:
        t = np.concatenate((np.repeat(xb, k + 1), t[k + 1 : len(t) - k - 1], np.repeat(xe, k + 1)))
        c, whole = fitted(t, k, x, y[:, None], w)
        away = np.sum((w * (y - whole @ c[:, 0])) ** 2)
        return len(t), t, np.concatenate((c[:, 0], np.zeros(k + 1))), away, 0
    if s > 0 or task != 0:
        raise NotImplementedError(_SMOOTHING + _INSTEAD)
    knots, c = through(x, y, k, xb, xe)
    more = np.zeros(len(t) - len(knots))
    filled = np.concatenate((c, np.zeros(len(t) - len(c))))
    return len(knots), np.concatenate((knots, more)), filled, 0.0, -1


def splder_in_c(t, c, k, nu, x, ext):
    return splder(t, c, k, x, nu, ext)


def splint_in_c(t, c, k, a, b):
    return splint(t, c, k, a, b)[0]


def regrid_in_c(task, x, y, z, xb, xe, yb, ye, kx, ky, s, *room):
    return regrid_smth(x, y, z, xb, xe, yb, ye, kx, ky, s)


_SAME = (splev, spalde, dblint, parder, bispev, pardeu, bispeu)
if hasattr(_fitpack2, "dfitpack"):
    _HOME = _fitpack2.dfitpack
    OWN = {own.__name__: own for own in (*_SAME, fpcurf0, fpcurfm1, curfit, splder, splint)}
    OWN["regrid_smth"] = regrid_smth
else:
    _HOME = _fitpack2._fitpack
    OWN = {own.__name__: own for own in _SAME}
    OWN |= {"curfit": curfit_in_c, "splder": splder_in_c, "splint": splint_in_c}
    OWN["regrid"] = regrid_in_c
registry.add_written({getattr(_HOME, name): own for name, own in OWN.items()})
add_recipes(__name__)
