"""Least squares: half the sum of squares has a minimum."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from autodiff.templates.scipy.callbacks import Found, alone, tupled
from autodiff.templates.scipy.minima import minimum_in, minimum_of
from scipy import optimize

from autodiff.rules import registry
from autodiff.rules.taking import arity_of, as_it_is, refused
from autodiff.runtime import formed, said, unfollowed, valued


def robust(loss, z):
    """What counts of a square."""
    if loss == "linear":
        return z
    if loss == "soft_l1":
        return 2.0 * (np.sqrt(1.0 + z) - 1.0)
    if loss == "huber":
        return np.where(z <= 1.0, z, 2.0 * np.sqrt(np.where(z <= 1.0, 1.0, z)) - 1.0)
    if loss == "cauchy":
        return np.log1p(z)
    if loss == "arctan":
        return np.arctan(z)
    return loss(z)[0]


def cost_of(f, loss="linear", scale=1.0):
    """Half the sum of squares, each of which may count less."""
    return lambda x: 0.5 * np.sum(scale**2 * robust(loss, (f(x) / scale) ** 2))


def least_squares(
    fun,
    x0,
    jac="2-point",
    bounds=(-np.inf, np.inf),
    method="trf",
    *,
    loss="linear",
    f_scale=1.0,
    args=(),
    kwargs=None,
    **options,
):
    named = {} if kwargs is None else kwargs
    start = np.atleast_1d(np.asarray(x0, dtype=float))
    others = {"loss": loss, "f_scale": f_scale, "args": args, "kwargs": named, **options}
    solver = optimize.least_squares
    found = as_it_is((start, *args), solver, fun, x0, jac, bounds, method, **others)

    def residuals(x):
        return np.atleast_1d(np.asarray(fun(x, *args, **named)))

    x = formed(found, "x", start)
    low, high = (bounds.lb, bounds.ub) if isinstance(bounds, optimize.Bounds) else bounds
    n = np.size(start)
    edge = np.broadcast_to(low, (n,)), np.broadcast_to(high, (n,))
    cost = cost_of(residuals, loss, f_scale)
    x = minimum_in(found, cost, x, edge)
    given = residuals(x)
    return Found(
        found,
        x=x,
        cost=valued(formed(found, "cost", 0.0), cost(x)),
        fun=valued(formed(found, "fun", given), given),
    )


def leastsq(func, x0, args=(), Dfun=None, full_output=False, *rest, **options):
    more = tupled(args)
    if full_output:
        refused(
            "leastsq with full_output",
            "the derivative of the covariance is not known",
            "leave it out, and compute the covariance from the solution",
        )
    start = np.ravel(np.asarray(x0, dtype=float))
    given = (x0, args, Dfun, full_output, *rest)
    found = as_it_is((start, *more), optimize.leastsq, func, *given, **options)
    f = alone(func, more)
    x = minimum_of(cost_of(lambda x: np.asarray(f(x))), formed(found, 0, start))
    return x, said(found, 1)


def first_of(p, count):
    """The first numbers of an array, one by one."""
    return () if count == 0 else (*first_of(p, count - 1), p[count - 1])


def curve_fit(
    f,
    xdata,
    ydata,
    p0=None,
    sigma=None,
    absolute_sigma=False,
    check_finite=None,
    bounds=(-np.inf, np.inf),
    method=None,
    jac=None,
    *,
    full_output=False,
    **options,
):
    named = {"p0": p0, "sigma": sigma, "absolute_sigma": absolute_sigma, "bounds": bounds}
    named = {**named, "check_finite": check_finite, "method": method, "jac": jac, **options}
    if full_output or "nan_policy" in options:
        refused(
            "curve_fit with full_output or nan_policy",
            "which data count is found when it runs",
            "leave them out, and call scipy.optimize.least_squares for more",
        )
    found = as_it_is((xdata,), optimize.curve_fit, f, xdata, ydata, **named)
    y = np.asarray(ydata, dtype=float)
    count = len(p0) if isinstance(p0, (list, tuple)) else arity_of(f) - 1

    def residuals(p):
        short = f(xdata, *first_of(p, count)) - y
        if sigma is None:
            return short
        if np.ndim(sigma) == 2:
            return np.linalg.solve(np.linalg.cholesky(sigma), short)
        return short / sigma

    like = np.zeros(count)
    low, high = (bounds.lb, bounds.ub) if isinstance(bounds, optimize.Bounds) else bounds
    edge = np.broadcast_to(low, (count,)), np.broadcast_to(high, (count,))
    x = minimum_of(cost_of(residuals), formed(found, 0, like), edge)
    return x, unfollowed(formed(found, 1, np.zeros((count, count))), x, "pcov")


registry.add_written(
    {
        optimize.least_squares: least_squares,
        optimize.leastsq: leastsq,
        optimize.curve_fit: curve_fit,
    }
)
