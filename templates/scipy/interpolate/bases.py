"""SciPy's functions in C of B-splines, in terms of NumPy: `BSpline` and `make_interp_spline` are in
Python. Source of the recursions: C. de Boor, A practical guide to splines (1978), X (14), (15).
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from autodiff.templates.scipy.interpolate.knots import as_found, nearly_solved
from autodiff.templates.scipy.interpolate.places import beyond_knots, knots_at
from scipy import linalg
from scipy.interpolate import _bsplines
from scipy.linalg import lapack

from autodiff.rules import registry
from autodiff.rules.taking import add_recipes
from autodiff.runtime import valued


def combined(t, k, x, at, c, nu):
    """The spline, or a derivative, of the coefficients that each point has for itself.

    c: of shape (points, k + 1, any number). Between knots that are one all B-splines are 0.
    """
    degree, empty = k, t[at] == t[at + 1]
    for _ in range(nu):
        if degree == 0:
            return np.zeros((len(x), c.shape[2]), c.dtype)
        parts = []
        for j in range(degree):
            width = np.where(empty, 1.0, t[at + 1 + j] - t[at - degree + 1 + j])[:, None]
            parts.append(degree * (c[:, j + 1] - c[:, j]) / width)
        c = np.stack(parts, axis=1)
        degree -= 1
    for level in range(1, degree + 1):
        parts = []
        for j in range(degree - level + 1):
            left, right = t[at - degree + j + level], t[at + 1 + j]
            part = ((x - left) / np.where(empty, 1.0, right - left))[:, None]
            parts.append((1 - part) * c[:, j] + part * c[:, j + 1])
        c = np.stack(parts, axis=1)
    return np.where(empty[:, None], 0.0, c[:, 0])


def splined(t, c, k, x, nu=0):
    """A spline in points, as far as they are; outside the polynomials at the ends go on."""
    at = knots_at(t, k, x)
    return combined(t, k, x, at, c[at[:, None] + np.arange(-k, 1)], nu)


def bases(t, k, x, nu=0):
    """The B-splines that are not 0 in each point, and the place of the first of them."""
    at = knots_at(t, k, x)
    units = np.broadcast_to(np.eye(k + 1), (len(x), k + 1, k + 1)).copy()
    return combined(t, k, x, at, units, nu), at - k


def evaluate_spline(t, c, k, x, nu, extrapolate, out=None):
    made = splined(t, c, k, x, nu)
    if not extrapolate:
        made = np.where(beyond_knots(t, k, x)[:, None], np.nan, made)
    made = np.where(np.isnan(x)[:, None], np.nan, made)
    if out is None:
        return made
    out[...] = made
    return None


def coloc(x, t, k, ab, offset=0):
    """The transposed of a banded matrix is written to: a row for each B-spline."""
    values, first = bases(t, k, x)
    rows = np.arange(len(x)) + offset
    for j in range(k + 1):
        ab[first + j, 2 * k + rows - first - j] = values[:, j]


def data_matrix(x, t, k, w, extrapolate=False):
    """The rows of all B-splines that are not 0, by weights, and where they begin."""
    values, first = bases(t, k, x)
    return valued(as_found(_DATA, x, t, k, w, extrapolate)[0], values * w[:, None]), first, len(x)


def norm_eq_lsq(x, t, k, y, w, ab, rhs):
    """The normal equations: the transposed of a banded matrix is written to."""
    whole = design(t, k, x) * w[:, None]
    square = whole.T @ whole
    for j in range(k + 1):
        ab[: len(ab) - j, j] = np.diag(square, -j)
    rhs[...] = whole.T @ (y * w[:, None])


class Lost:
    """Factors that LAPACK gives beside a solution: no rule says anything of them."""

    def __array__(self, dtype=None, copy=None):
        raise NotImplementedError("factors of LAPACK's by name have no derivative rule: lu_factor")

    def __getattr__(self, name):
        return self.__array__()


def gbsv(kl, ku, ab, b, overwrite_ab=0, overwrite_b=0):
    return Lost(), Lost(), linalg.solve_banded((kl, ku), ab[kl:], b), 0


def design(t, k, x, nu=0):
    """All B-splines in all points: a row for each point."""
    values, first = bases(t, k, x, nu)
    whole = np.zeros((len(x), len(t) - k - 1))
    for j in range(k + 1):
        whole[np.arange(len(x)), first + j] = values[:, j]
    return whole


def nearest(whole, right):
    """The solution by least squares: what was found, and a step of Newton's, which is exact."""
    root, found = nearly_solved(whole, right)
    even = whole @ root
    rest = even.T @ (right - whole @ found)
    return found + root @ np.linalg.solve(even.T @ even, rest)


def fitted(t, k, x, y, w):
    """The coefficients of the spline that is nearest to values, by weights, and its bases."""
    whole = design(t, k, x)
    return nearest(whole * w[:, None], y * w[:, None]), whole


# SciPy 1.15 returns three parts of these.
_KNOTS, _LINE = np.array([0.0, 0, 1, 2, 2]), np.arange(3.0)
_PARTS = len(_bsplines._lsq_solve_qr(_LINE, np.zeros((3, 1)), _KNOTS, 1, np.ones(3)))


def lsq_solve_qr(x, y, t, k, w, periodic=False):
    if periodic:
        raise NotImplementedError("a periodic spline near values has no derivative rule")
    c, whole = fitted(t, k, x, y, w)
    residuals = np.sum((w[:, None] * (y - whole @ c)) ** 2, axis=1)
    return (whole, y * w[:, None], c, np.sum(residuals), residuals)[:_PARTS]


_DATA = _bsplines._dierckx.data_matrix
_OWN = {"evaluate_spline": evaluate_spline, "_coloc": coloc, "_norm_eq_lsq": norm_eq_lsq}
_OWN["data_matrix"] = data_matrix
registry.add_written(
    {
        **{getattr(_bsplines._dierckx, name): own for name, own in _OWN.items()},
        lapack.dgbsv: gbsv,
        lapack.zgbsv: gbsv,
        _bsplines._lsq_solve_qr: lsq_solve_qr,
    }
)
add_recipes(__name__)
