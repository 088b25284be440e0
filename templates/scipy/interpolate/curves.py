"""FITPACK's splines in points, in terms of NumPy: `UnivariateSpline`, `RectBivariateSpline`,
`splev` and their kin are in Python.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from autodiff.templates.scipy.interpolate.bases import design, splined
from autodiff.templates.scipy.interpolate.fitting import through
from autodiff.templates.scipy.interpolate.knots import as_found
from autodiff.templates.scipy.interpolate.places import beyond_knots
from scipy.interpolate import _fitpack2

from autodiff.rules import registry
from autodiff.rules.taking import add_recipes
from autodiff.runtime import valued


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
    return design(t, k, np.clip(x, t[k], t[len(t) - k - 1]), nu)


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
        raise NotImplementedError("a surface that smoothes (s > 0) has no derivative rule: use s=0")
    tx, rows = through(x, z.reshape(len(x), len(y)), kx, xb, xe)
    ty, table = through(y, rows.T, ky, yb, ye)
    return len(tx), tx, len(ty), ty, table.T.reshape(-1), 0.0, -1


def splder_in_c(t, c, k, nu, x, ext):
    return splder(t, c, k, x, nu, ext)


def splint_in_c(t, c, k, a, b):
    return splint(t, c, k, a, b)[0]


def regrid_in_c(task, x, y, z, xb, xe, yb, ye, kx, ky, s, *room):
    return regrid_smth(x, y, z, xb, xe, yb, ye, kx, ky, s)


def as_in_c(function, own):
    """What a function of FITPACK's gives, with the derivative of what stands for it."""

    def made(*given):
        found, value = as_found(function, *given), own(*given)
        if isinstance(value, tuple):
            return valued(found[0], value[0]), *found[1:]
        return valued(found, value)

    return made


_SAME = (splev, spalde, dblint, parder, bispev, pardeu, bispeu)
OWN = {own.__name__: own for own in _SAME}
if hasattr(_fitpack2, "dfitpack"):
    HOME = _fitpack2.dfitpack
    OWN |= {"splder": splder, "splint": splint}
else:
    HOME = _fitpack2._fitpack
    OWN |= {"splder": splder_in_c, "splint": splint_in_c}
for name, own in OWN.items():
    registry.add_written({getattr(HOME, name): as_in_c(getattr(HOME, name), own)})
SURFACES = {"regrid_smth": regrid_smth, "regrid": regrid_in_c}
registry.add_written(
    {getattr(HOME, name): own for name, own in SURFACES.items() if hasattr(HOME, name)}
)
add_recipes(__name__)
