"""FITPACK's splines through values and near them, which `UnivariateSpline`, `splrep` and `splprep`
call.

In SciPy 1.18 FITPACK is in C, with arguments in another order.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from autodiff.templates.scipy.interpolate.bases import coloc, fitted
from autodiff.templates.scipy.interpolate.knots import (
    as_found,
    curve_as_found,
    spline_as_found,
    with_knots,
)
from autodiff.templates.scipy.interpolate.places import knots_at
from autodiff.templates.scipy.interpolate.smoothing import placed, smoothed
from scipy import linalg
from scipy.interpolate import BSpline, _fitpack, _fitpack2, _fitpack_repro

from autodiff.rules import registry
from autodiff.rules.taking import add_recipes
from autodiff.runtime import valued

_IN_FORTRAN = hasattr(_fitpack2, "dfitpack")
_HOME = _fitpack2.dfitpack if _IN_FORTRAN else _fitpack
_CURVE, _INSERT = (
    (_fitpack._parcur, _fitpack._insert) if _IN_FORTRAN else (_fitpack.parcur, _fitpack.insert)
)


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


def filled(values, room):
    """As many places as FITPACK has, of which the rest says nothing."""
    return np.concatenate((values, np.zeros(room - len(values))))


def one(n, t, c, away, ended, given, periodic=False):
    """A spline near numbers: knots and coefficients in the room that FITPACK has, and the sum."""
    x, y, w, low, high, k, s = given
    low, high = x[0] if low is None else low, x[-1] if high is None else high
    knots, values = placed(t[:n], k, x, low, high, periodic), c[: n - k - 1, None]
    made, total = smoothed(knots, values, ended, x, y[:, None], w, k, s, periodic)
    room = filled(valued(t[:n], knots), len(t)), filled(made[:, 0], len(c))
    return *room, valued(away, total)


def given_knots(x, y, w, k, t, found, total):
    """The coefficients of a spline with knots of the user's, and the sum."""
    c, rows = fitted(t, k, x, y[:, None], w)
    away = np.sum((w * (y - rows @ c[:, 0])) ** 2)
    return valued(found, filled(c[:, 0], len(found))), valued(total, away)


def plainly(x, y, w):
    """Floats, with weights 1 where there are none."""
    return np.asarray(x, float), np.asarray(y, float), np.ones(len(x)) if w is None else w


def fpcurf0(x, y, k, w=None, xb=None, xe=None, s=None, nest=None):
    found = curve_as_found(_HOME.fpcurf0, _HOME.fpcurf1, x, y, k, w, xb, xe, s)
    given = *plainly(x, y, w), xb, xe, k, found[6] if s is None else s
    return *given[:3], *found[3:8], *one(*found[7:11], found[13], given), *found[11:]


def fpcurf1(x, y, w, xb, xe, k, s, *rest):
    found = as_found(_HOME.fpcurf1, x, y, w, xb, xe, k, s, *rest)
    given = x, y, w, xb, xe, k, s
    return *given, found[7], *one(*found[7:11], found[13], given), *found[11:]


def fpcurfm1(x, y, k, t, w=None, xb=None, xe=None, overwrite_t=1):
    found = as_found(_HOME.fpcurfm1, x, y, k, t, w, xb, xe)
    given = plainly(x, y, w)
    return *given, *found[3:8], t, *given_knots(*given, k, t, found[9], found[10]), *found[11:]


def with_ends(t, k, low, high):
    inside = t[k + 1 : len(t) - k - 1]
    return np.concatenate((np.repeat(low, k + 1), inside, np.repeat(high, k + 1)))


def curfit(task, x, y, w, t, work, places, xb, xe, k, s):
    n, knots, c, away, ended = with_knots(
        _HOME.curfit, task, x, y, w, t, work, places, xb, xe, k, s
    )
    made = fit(task, n, knots, c, away, ended, x, y, w, t, xb, xe, k, s)
    t[...] = made[0]
    return n, *made[1:], ended


def curfit_in_c(task, x, y, w, xb, xe, k, s, t, work, places):
    n, knots, c, away, ended = as_found(_HOME.curfit, task, x, y, w, xb, xe, k, s, t, work, places)
    return n, *fit(task, n, knots, c, away, ended, x, y, w, t, xb, xe, k, s), ended


def fit(task, n, knots, c, away, ended, x, y, w, t, xb, xe, k, s):
    if task == -1:
        own = with_ends(t, k, xb, xe)
        return own, *given_knots(x, y, w, k, own, c, away)
    return one(n, knots, c, away, ended, (x, y, w, xb, xe, k, s))


def percur(task, x, y, w, t, work, places, k, s):
    n, knots, c, away, ended = with_knots(_HOME.percur, task, x, y, w, t, work, places, k, s)
    made = closed(task, n, knots, c, away, ended, x, y, w, k, s)
    t[...] = made[0]
    return n, *made[1:], ended


def percur_in_c(task, x, y, w, k, s, t, work, places):
    n, knots, c, away, ended = as_found(_HOME.percur, task, x, y, w, k, s, t, work, places)
    return n, *closed(task, n, knots, c, away, ended, x, y, w, k, s), ended


def refuse_closed(periodic):
    if periodic:
        raise NotImplementedError(
            "a periodic spline with given knots has no derivative rule: use s"
        )


def closed(task, n, knots, c, away, ended, x, y, w, k, s):
    refuse_closed(task == -1)
    return one(n, knots, c, away, ended, (x, y, w, None, None, k, s), True)


def parcur(x, w, u, ub, ue, k, task, ipar, s, t, nest, work, places, per):
    found = as_found(_CURVE, x, w, u, ub, ue, k, task, ipar, s, t, nest, work, places, per)
    knots, c, said = found
    points = np.reshape(x, (len(w), -1))
    if not ipar:
        steps = np.sqrt(np.sum(np.diff(points, axis=0) ** 2, axis=1))
        along = np.concatenate(([0.0], np.cumsum(steps)))
        u, ub, ue = along / along[-1], 0.0, 1.0
    values = np.reshape(c, (points.shape[1], -1)).T
    if task == -1:
        refuse_closed(per)
        own = with_ends(t, k, ub, ue)
        made, rows = fitted(own, k, u, points, w)
        total = np.sum((w[:, None] * (points - rows @ made)) ** 2)
        made = valued(values, made)
    else:
        own = placed(knots, k, u, ub, ue, bool(per))
        made, total = smoothed(own, values, said["ier"], u, points, w, k, s, bool(per))
    said = {**said, "u": valued(said["u"], u), "fp": valued(said["fp"], total)}
    return valued(knots, own), np.reshape(made.T, -1), said


def make_splrep(x, y, w=None, xb=None, xe=None, k=3, s=0, t=None, nest=None, periodic=False, xp=np):
    knots, c = spline_as_found(x, y, w, xb, xe, k, s, t, nest, periodic)
    own = placed(knots, k, x, xb, xe, periodic) if t is None else t
    ended = -2 if len(knots) == 2 * k + 2 else 0
    made, _ = smoothed(own, c, ended, x, y, w, k, s, periodic)
    return BSpline(valued(knots, own), made, k)


def insert(periodic, t, c, k, x, times):
    knots, values, ended = as_found(_INSERT, periodic, t, c, k, x, times)
    if periodic or ended:
        raise NotImplementedError("a knot in a periodic spline has no derivative rule: use BSpline")
    c = c[: len(t) - k - 1]
    for _ in range(times):
        at = int(knots_at(t, k, np.reshape(x, 1))[0])
        part = (x - t[at - k + 1 : at + 1]) / (t[at + 1 : at + k + 1] - t[at - k + 1 : at + 1])
        between = part * c[at - k + 1 : at + 1] + (1 - part) * c[at - k : at]
        c = np.concatenate((c[: at - k + 1], between, c[at:]))
        t = np.concatenate((t[: at + 1], np.reshape(x, 1), t[at + 1 :]))
    return valued(knots, filled(t, len(knots))), valued(values, filled(c, len(values))), ended


if _IN_FORTRAN:
    OWN = {own.__name__: own for own in (fpcurf0, fpcurf1, fpcurfm1, curfit, percur)}
else:
    OWN = {"curfit": curfit_in_c, "percur": percur_in_c}
registry.add_written({getattr(_HOME, name): own for name, own in OWN.items()})
registry.add_written(
    {_CURVE: parcur, _INSERT: insert, _fitpack_repro._make_splrep_impl: make_splrep}
)
add_recipes(__name__)
