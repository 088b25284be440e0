"""Minima: where the slope is zero, but for what lies on a bound, which goes with that."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from autodiff.templates.scipy.callbacks import Found, alone, tupled
from autodiff.templates.scipy.constraints import minimum_under
from scipy import optimize

from autodiff.rules import registry
from autodiff.rules.taking import as_it_is, refused, root_of, slope_of
from autodiff.runtime import at_bound, formed, rests, said, settled, valued


def resting(f, x, bounds):
    """`x`, with the derivative of where a function has a minimum; the slope there, and what lies on
    the bounds: what is nearer to them than the slope is to zero, as some methods stay inside.
    """
    slope = slope_of(f, x)
    if bounds is None:
        return root_of(lambda y: slope_of(f, y), x), slope, False, False
    low, high = bounds
    below, above = at_bound(x, low, slope), at_bound(high, x, -slope)
    low, high = np.where(below, low, 0.0), np.where(above, high, 0.0)

    def stationary(y):
        return np.where(below, y - low, np.where(above, y - high, slope_of(f, y)))

    return root_of(stationary, x), slope, below, above


def minimum_of(f, x, bounds=None):
    """A minimum, of which SciPy has said itself if it is none."""
    made, *_ = resting(f, x, bounds)
    return made


def minimum_in(found, f, x, bounds=None):
    """A minimum, if what was found is one."""
    made, slope, below, above = resting(f, x, bounds)
    return settled(made, rests(found, slope, below, above))


def value_at(f, x, found):
    """The value that a solver gave, with the derivative of that at its solution."""
    return valued(found, f(x))


def total(f):
    """A number, also where a function gives an array of one."""
    return lambda x: np.sum(f(x))


def edges(bounds, n):
    """The lower and upper bounds of `n` unknowns, as minimisers take them."""
    if bounds is None:
        return None
    if isinstance(bounds, optimize.Bounds):
        low, high = bounds.lb, bounds.ub
    else:
        low = np.array([-np.inf if pair[0] is None else pair[0] for pair in bounds])
        high = np.array([np.inf if pair[1] is None else pair[1] for pair in bounds])
    return np.broadcast_to(low, (n,)), np.broadcast_to(high, (n,))


def minimize_scalar(fun, bracket=None, bounds=None, args=(), method=None, **options):
    more = tupled(args)
    like = np.float64(1.0)
    solver = optimize.minimize_scalar
    found = as_it_is((like, *more), solver, fun, bracket, bounds, args, method, **options)
    f = alone(fun, more)
    x = minimum_in(found, f, formed(found, "x", like), bounds)
    return Found(found, x=x, fun=value_at(f, x, formed(found, "fun", 0.0)))


def minimize(fun, x0, args=(), method=None, jac=None, **options):
    more = tupled(args)
    start = np.atleast_1d(np.asarray(x0, dtype=float))
    found = as_it_is((start, *more), optimize.minimize, fun, x0, args, method, jac, **options)
    f = total(alone(fun, more, jac))
    bounds = edges(options.get("bounds"), np.size(start))
    x = formed(found, "x", start)
    constraints = options.get("constraints", ())
    if constraints:
        x = minimum_under(found, f, x, start, constraints, bounds)
    else:
        x = minimum_in(found, f, x, bounds)
    return Found(found, x=x, fun=value_at(f, x, formed(found, "fun", 0.0)))


def of_one(solver):
    """A minimum of a function of one variable, without or with its value."""

    def solved(func, args=(), brack=None, *rest, full_output=0, **options):
        more = tupled(args)
        like = np.float64(1.0)
        named = {"full_output": full_output, **options}
        found = as_it_is((like, *more), solver, func, args, brack, *rest, **named)
        f = alone(func, more)
        if full_output:
            x = minimum_of(f, formed(found, 0, like))
            return x, value_at(f, x, formed(found, 1, 0.0)), said(found, 2), said(found, 3)
        return minimum_of(f, formed(found, None, like))

    return solved


def fminbound(func, x1, x2, args=(), *rest, full_output=0, **options):
    more = tupled(args)
    like = np.float64(1.0)
    named = {"full_output": full_output, **options}
    found = as_it_is((like, *more), optimize.fminbound, func, x1, x2, args, *rest, **named)
    f = alone(func, more)
    if full_output:
        x = minimum_of(f, formed(found, 0, like), (x1, x2))
        return x, value_at(f, x, formed(found, 1, 0.0)), said(found, 2), said(found, 3)
    return minimum_of(f, formed(found, None, like), (x1, x2))


def of_several(solver, sloped):
    """A minimum of a function of several variables. sloped: the slope is the third argument."""

    def solved(func, x0, *given, full_output=0, retall=0, **options):
        if full_output or retall:
            refused(
                f"{solver.__name__} with full_output or retall",
                "how much it gives then is found when it runs",
                "call scipy.optimize.minimize, which gives all by name",
            )
        number = 1 if sloped else 0
        args = given[number] if len(given) > number else options.get("args", ())
        more = tupled(args)
        start = np.ravel(np.asarray(x0, dtype=float))
        found = as_it_is((start, *more), solver, func, x0, *given, **options)
        return minimum_of(total(alone(func, more)), formed(found, None, start))

    return solved


def between_bounds(solver):
    """The least of the minima between bounds."""

    def solved(func, bounds, args=(), **options):
        more = tupled(args)
        if options.get("constraints") is not None or options.get("integrality") is not None:
            refused(
                f"{solver.__name__} under constraints",
                "the derivative of such a minimum is not known",
                "begin scipy.optimize.minimize with these constraints where it was found",
            )
        like = np.zeros(len(bounds))
        found = as_it_is((like, *more), solver, func, bounds, args=args, **options)
        f = total(alone(func, more))
        x = minimum_in(found, f, formed(found, "x", like), edges(bounds, np.size(like)))
        return Found(found, x=x, fun=value_at(f, x, formed(found, "fun", 0.0)))

    return solved


registry.add_written(
    {
        optimize.minimize_scalar: minimize_scalar,
        optimize.minimize: minimize,
        optimize.differential_evolution: between_bounds(optimize.differential_evolution),
        optimize.dual_annealing: between_bounds(optimize.dual_annealing),
        optimize.shgo: between_bounds(optimize.shgo),
        optimize.direct: between_bounds(optimize.direct),
        optimize.brent: of_one(optimize.brent),
        optimize.golden: of_one(optimize.golden),
        optimize.fminbound: fminbound,
        optimize.fmin: of_several(optimize.fmin, sloped=False),
        optimize.fmin_powell: of_several(optimize.fmin_powell, sloped=False),
        optimize.fmin_bfgs: of_several(optimize.fmin_bfgs, sloped=True),
        optimize.fmin_cg: of_several(optimize.fmin_cg, sloped=True),
    }
)
