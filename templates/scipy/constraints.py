"""Minima under constraints, by the equations of Karush, Kuhn and Tucker in the active set."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from scipy import optimize, sparse

from autodiff.rules import registry
from autodiff.rules.taking import root_of, slope_of
from autodiff.runtime import assembled, decided, multipliers, standing


def linear_constraint(A, lb=-np.inf, ub=np.inf, keep_feasible=False):
    matrix = A if sparse.issparse(A) else np.atleast_2d(A).astype(np.float64)
    rows = matrix.shape[0:1]
    return assembled(
        optimize.LinearConstraint,
        A=matrix,
        lb=np.broadcast_to(np.atleast_1d(lb).astype(np.float64), rows),
        ub=np.broadcast_to(np.atleast_1d(ub).astype(np.float64), rows),
        keep_feasible=np.broadcast_to(np.atleast_1d(keep_feasible).astype(bool), rows),
    )


def one_by_one(constraints):
    """Constraints as `minimize` takes them: one, or several."""
    one = dict, optimize.LinearConstraint, optimize.NonlinearConstraint
    return (constraints,) if isinstance(constraints, one) else tuple(constraints)


def flat(f):
    """A function that gives a vector."""
    return lambda x: np.ravel(np.asarray(f(x)) * 1.0)


def limited(constraint):
    """A function, and the limits between which it has to be."""
    if isinstance(constraint, dict):
        fun, more = constraint["fun"], constraint.get("args", ())
        high = 0.0 if constraint["type"].lower() == "eq" else np.inf
        return flat(lambda x: fun(x, *more)), 0.0, high
    if isinstance(constraint, optimize.LinearConstraint):
        matrix = constraint.A
        return flat(lambda x: matrix @ x), constraint.lb, constraint.ub
    return flat(constraint.fun), constraint.lb, constraint.ub


def together(constraints, x):
    """All constraints as one function, and the limits of each number in it."""
    fun, low, high = limited(constraints[0])
    shape = np.shape(fun(x))
    low, high = np.broadcast_to(low, shape), np.broadcast_to(high, shape)
    if len(constraints) == 1:
        return fun, low, high
    others, lows, highs = together(constraints[1:], x)
    return (
        lambda x: np.concatenate([fun(x), others(x)]),
        np.concatenate([low, lows]),
        np.concatenate([high, highs]),
    )


def row_of(g, x, seed):
    """The slope of one of several constraints."""
    return slope_of(lambda y: np.sum(seed * g(y)), x)


def bend_of(f, x, seed):
    """How the slope changes in a direction."""
    return row_of(lambda y: slope_of(f, y), x, seed)


def minimum_under(found, f, x, start, constraints, bounds):
    """A minimum, if what was found is one: its multipliers are unknowns like itself. What lies on a
    bound goes with that, and needs none.
    """
    g, low, high = together(one_by_one(constraints), x)
    c, slope = g(x), slope_of(f, x)
    rows = np.stack([row_of(g, x, seed) for seed in np.eye(np.size(c))])
    n, m = np.size(x), np.size(c)
    least, most = (np.full(n, -np.inf), np.full(n, np.inf)) if bounds is None else bounds
    every = np.concatenate([c, x])
    lows, highs = np.concatenate([low, least]), np.concatenate([high, most])
    first = slope_of(f, np.clip(start, least, most))
    slopes = np.concatenate([rows, np.eye(n)])
    given = every, x, slopes, slope, first, lows, highs
    force = multipliers(*given)
    pushed = force[:m]
    bends = [bend_of(lambda y: f(y) - np.sum(pushed * g(y)), x, seed) for seed in np.eye(n)]
    active = np.logical_or(lows == highs, force != 0.0)
    limit = np.where(active, np.where(force < 0.0, highs, lows), 0.0)
    held, bound, edge, end = active[:m], active[m:], limit[:m], limit[m:]

    def kkt(z):
        x, force = z[:n], z[n:]
        pull = slope_of(lambda y: f(y) - np.sum(force * g(y)), x)
        return np.concatenate([np.where(bound, x - end, pull), np.where(held, g(x) - edge, force)])

    z = root_of(kkt, np.concatenate([x, pushed]))
    return decided(z[:n], standing(found, np.stack(bends), *given))


registry.add_written({optimize.LinearConstraint: linear_constraint})
