"""`solve_bvp`: the solution on its mesh solves the equations of the collocation, as a root does.

Source of the equations: J. Kierzenka and L. F. Shampine, A BVP solver based on residual control and
the Matlab PSE (2001), section 3.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from autodiff.templates.scipy.callbacks import Found
from scipy import integrate, interpolate

from autodiff.rules import registry
from autodiff.rules.taking import as_it_is, refused, root_of
from autodiff.runtime import claims, formed, settled, size_of, valued


class Path(Found):
    """A solution on a mesh, and the cubics between."""

    def __init__(self, found, x, y, yp, p):
        self.found = found
        self.x, self.y, self.yp, self.p = x, y, yp, p

    @property
    def sol(self):
        h = np.diff(self.x)
        slope = (self.y[:, 1:] - self.y[:, :-1]) / h
        bend = (self.yp[:, :-1] + self.yp[:, 1:] - 2 * slope) / h
        second = (slope - self.yp[:, :-1]) / h - bend
        c = np.stack((bend / h, second, self.yp[:, :-1], self.y[:, :-1]))
        return interpolate.PPoly(np.moveaxis(c, 1, 0), self.x, True, 1)


def solve_bvp(fun, bc, x, y, p=None, S=None, **options):
    if S is not None:
        refused(
            "solve_bvp with a singular term",
            "its collocation has no derivative rule",
            "begin a little beside the singular point, without `S`",
        )
    begin = np.asarray(x, dtype=float)
    found = as_it_is((begin, y), integrate.solve_bvp, fun, bc, x, y, p, **options)
    count, n = size_of(found, "x"), len(y)
    steps = formed(found, "x", np.zeros(count))
    share = (steps - steps[0]) / (steps[-1] - steps[0])
    nodes = valued(steps, begin[0] + share * (begin[-1] - begin[0]))
    start = formed(found, "y", np.zeros((n, count)))
    more = np.zeros(0) if p is None else formed(found, "p", np.zeros(len(p)))

    def slopes(at, path, known):
        return np.asarray(fun(at, path) if p is None else fun(at, path, known))

    def residual(unknown):
        path, known = np.reshape(unknown[: n * count], (n, count)), unknown[n * count :]
        h = nodes[1:] - nodes[:-1]
        f = slopes(nodes, path, known)
        middle = (path[:, 1:] + path[:, :-1]) / 2 - h / 8 * (f[:, 1:] - f[:, :-1])
        between = slopes(nodes[:-1] + h / 2, middle, known)
        left = path[:, 1:] - path[:, :-1] - h / 6 * (f[:, :-1] + f[:, 1:] + 4 * between)
        ends = path[:, 0], path[:, -1]
        at_ends = np.asarray(bc(*ends) if p is None else bc(*ends, known))
        return np.concatenate((np.ravel(left), at_ends))

    unknown = root_of(residual, np.concatenate((np.ravel(start), more)))
    unknown = settled(unknown, claims(found, "success"))
    path, known = np.reshape(unknown[: n * count], (n, count)), unknown[n * count :]
    return Path(found, nodes, path, slopes(nodes, path, known), known)


registry.add_written({integrate.solve_bvp: solve_bvp})
