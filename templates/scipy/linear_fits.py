"""Linear least squares between bounds."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from autodiff.templates.scipy.callbacks import Found
from autodiff.templates.scipy.constraints import linear_constraint, minimum_under
from scipy import optimize

from autodiff.rules import registry
from autodiff.rules.taking import as_it_is
from autodiff.runtime import formed, valued


def squares(A, b):
    """Half the sum of squares."""
    return lambda x: 0.5 * np.sum((A @ x - b) ** 2)


def between(found, A, b, x, low, high):
    """A minimum of these, if what was found is one."""
    n = np.shape(A)[1]
    start, nothing = np.zeros(n), (linear_constraint(np.zeros(n)),)
    edge = np.broadcast_to(low, (n,)), np.broadcast_to(high, (n,))
    return minimum_under(found, squares(A, b), x, start, nothing, edge)


def nnls(A, b, **options):
    found = as_it_is((b,), optimize.nnls, A, b, **options)
    like = np.zeros(np.shape(A)[1])
    x = between(found, A, b, formed(found, 0, like), 0.0, np.inf)
    return x, valued(formed(found, 1, 0.0), np.sqrt(np.sum((A @ x - b) ** 2)))


def lsq_linear(A, b, bounds=(-np.inf, np.inf), *rest, **options):
    found = as_it_is((b,), optimize.lsq_linear, A, b, bounds, *rest, **options)
    low, high = (bounds.lb, bounds.ub) if isinstance(bounds, optimize.Bounds) else bounds
    x = between(found, A, b, formed(found, "x", np.zeros(np.shape(A)[1])), low, high)
    left = A @ x - b
    return Found(
        found,
        x=x,
        cost=valued(formed(found, "cost", 0.0), 0.5 * np.sum(left**2)),
        fun=valued(formed(found, "fun", left), left),
    )


registry.add_written({optimize.nnls: nnls, optimize.lsq_linear: lsq_linear})
