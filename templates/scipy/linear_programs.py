"""Linear programs: their solution is a corner of what the constraints leave."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from autodiff.templates.scipy.callbacks import Found
from autodiff.templates.scipy.constraints import linear_constraint, minimum_under
from autodiff.templates.scipy.minima import edges, value_at
from scipy import optimize

from autodiff.rules import registry
from autodiff.rules.taking import as_it_is, refused
from autodiff.runtime import formed


def pairs(bounds):
    """Bounds for each unknown, also where one pair stands for all."""
    if bounds is None:
        return [(0.0, None)]
    if isinstance(bounds, (tuple, list)) and len(bounds) == 2:
        low, high = bounds
        if low is None or high is None or np.ndim(low) == 0:
            return [(low, high)]
    return bounds


def linprog(c, A_ub=None, b_ub=None, A_eq=None, b_eq=None, bounds=(0, None), *rest, **options):
    if rest or options.get("integrality") is not None:
        refused(
            "linprog with integrality, or with more than bounds by position",
            "the derivative of a solution among integers is not known",
            "name `method` and `options`, and leave integrality out",
        )
    like = np.zeros(np.size(c))
    given = (c, A_ub, b_ub, A_eq, b_eq, bounds)
    found = as_it_is((like,), optimize.linprog, *given, **options)
    cost = np.asarray(c) * 1.0
    above = () if A_ub is None else (linear_constraint(A_ub, -np.inf, np.ravel(b_ub)),)
    on = () if A_eq is None else (linear_constraint(A_eq, np.ravel(b_eq), np.ravel(b_eq)),)

    def f(x):
        return np.sum(cost * x)

    every = (*above, *on) if above or on else (linear_constraint(np.zeros(np.shape(like))),)
    edge = edges(pairs(bounds), np.size(like))
    x = minimum_under(found, f, formed(found, "x", like), like, every, edge)
    return Found(found, x=x, fun=value_at(f, x, formed(found, "fun", 0.0)))


registry.add_written({optimize.linprog: linprog})
