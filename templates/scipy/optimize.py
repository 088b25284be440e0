"""Solvers, which are given functions: values are SciPy's, derivatives those of what is solved.

A root has the derivative of the implicit function; a minimum that of where the gradient vanishes,
but for what lies on a bound, which goes with that.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

from types import FunctionType

import numpy as np
from autodiff.templates.scipy.callbacks import Found, tupled
from scipy import optimize

from autodiff.rules import registry
from autodiff.rules.taking import add_solvers, arity_of, as_it_is, refused, root_of, slope_of
from autodiff.runtime import at_bound, formed, said, unfollowed, valued


def alone(f, args, told=None):
    """A function of one argument. told: whether it gives its derivative, too; or that."""
    if isinstance(told, (bool, int)) and told:
        return lambda x: f(x, *args)[0]
    return lambda x: f(x, *args)


def in_form(f):
    """Equations in the form of the unknowns."""
    return lambda x: np.reshape(np.asarray(f(x)), np.shape(x))


# Roots -------------------------------------------------------------------------------------------


def bracketed(solver):
    """A root between two points."""

    def solved(f, a, b, args=(), *rest, full_output=False, **options):
        more = tupled(args)
        named = {"full_output": full_output, **options}
        found = as_it_is((a, *more), solver, f, a, b, args, *rest, **named)
        if full_output:
            x = root_of(alone(f, more), formed(found, 0, 0.0))
            return x, Found(said(found, 1), root=x)
        return root_of(alone(f, more), formed(found, None, 0.0))

    return solved


def root_scalar(
    f, args=(), method=None, bracket=None, fprime=None, fprime2=None, x0=None, x1=None, **options
):
    more = tupled(args)
    start = bracket[0] if x0 is None else x0
    named = {"bracket": bracket, "fprime": fprime, "fprime2": fprime2, "x0": x0, "x1": x1}
    found = as_it_is((start, *more), optimize.root_scalar, f, args, method, **named, **options)
    return Found(found, root=root_of(alone(f, more, fprime), formed(found, "root", 0.0)))


def newton(func, x0, fprime=None, args=(), *rest, full_output=False, **options):
    more = tupled(args)
    named = {"full_output": full_output, **options}
    if np.iscomplexobj(x0):
        refused(
            "newton for a complex root",
            "the implicit function theorem is there for real equations",
            "find the real and the imaginary part with scipy.optimize.root",
        )
    found = as_it_is((x0, *more), optimize.newton, func, x0, fprime, args, *rest, **named)
    f = alone(func, more)
    like = np.multiply(x0, 1.0)
    if full_output and np.ndim(x0) == 0:
        x = root_of(f, formed(found, 0, like))
        return x, Found(said(found, 1), root=x)
    if full_output:
        return root_of(f, formed(found, 0, like)), said(found, 1), said(found, 2)
    return root_of(f, formed(found, None, like))


def fixed_point(func, x0, args=(), *rest, **options):
    more = tupled(args)
    found = as_it_is((x0, *more), optimize.fixed_point, func, x0, args, *rest, **options)
    x = formed(found, None, np.asarray(np.multiply(x0, 1.0)))
    return root_of(lambda x: x - np.reshape(func(x, *more), np.shape(x)), x)


def fsolve(func, x0, args=(), fprime=None, full_output=0, *rest, **options):
    more = tupled(args)
    start = np.ravel(np.asarray(x0, dtype=float))
    given = (x0, args, fprime, full_output, *rest)
    found = as_it_is((start, *more), optimize.fsolve, func, *given, **options)
    f = in_form(alone(func, more))
    if full_output:
        x = root_of(f, formed(found, 0, start))
        return x, Found(said(found, 1)), said(found, 2), said(found, 3)
    return root_of(f, formed(found, None, start))


def root(fun, x0, args=(), method="hybr", jac=None, **options):
    more = tupled(args)
    start = np.asarray(x0, dtype=float)
    if method in ("hybr", "lm"):
        start = np.ravel(start)
    found = as_it_is((start, *more), optimize.root, fun, x0, args, method, jac, **options)
    x = root_of(in_form(alone(fun, more, jac)), formed(found, "x", start))
    return Found(found, x=x)


# Minima -----------------------------------------------------------------------------------------


def minimum_of(f, x, bounds=None):
    """`x`, with the derivative of where a function has a minimum. It lies on a bound where it is
    nearer to that than the slope is to zero: so do methods that stay inside.
    """
    if bounds is None:
        return root_of(lambda y: slope_of(f, y), x)
    low, high = bounds
    slope = slope_of(f, x)
    below, above = at_bound(x, low, slope), at_bound(high, x, -slope)
    low, high = np.where(below, low, 0.0), np.where(above, high, 0.0)

    def stationary(y):
        return np.where(below, y - low, np.where(above, y - high, slope_of(f, y)))

    return root_of(stationary, x)


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
    x = minimum_of(f, formed(found, "x", like), bounds)
    return Found(found, x=x, fun=value_at(f, x, formed(found, "fun", 0.0)))


def minimize(fun, x0, args=(), method=None, jac=None, **options):
    more = tupled(args)
    start = np.atleast_1d(np.asarray(x0, dtype=float))
    if options.get("constraints", ()):
        refused(
            "minimize with constraints",
            "the derivative of a minimum under constraints is not known",
            "solve the equations of Karush, Kuhn and Tucker with scipy.optimize.root",
        )
    found = as_it_is((start, *more), optimize.minimize, fun, x0, args, method, jac, **options)
    f = total(alone(fun, more, jac))
    bounds = edges(options.get("bounds"), np.size(start))
    x = minimum_of(f, formed(found, "x", start), bounds)
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


# Least squares ----------------------------------------------------------------------------------


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
    x = minimum_of(cost, x, edge)
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

    def residuals(p):
        short = f(xdata, *[p[k] for k in range(len(p))]) - y
        if sigma is None:
            return short
        if np.ndim(sigma) == 2:
            return np.linalg.solve(np.linalg.cholesky(sigma), short)
        return short / sigma

    count = arity_of(f) - 1 if p0 is None else np.size(p0)
    like = np.zeros(count)
    low, high = (bounds.lb, bounds.ub) if isinstance(bounds, optimize.Bounds) else bounds
    edge = np.broadcast_to(low, (count,)), np.broadcast_to(high, (count,))
    x = minimum_of(cost_of(residuals), formed(found, 0, like), edge)
    return x, unfollowed(formed(found, 1, np.zeros((count, count))), x, "pcov")


WRITTEN = {
    **{
        solver: bracketed(solver)
        for solver in (
            optimize.brentq,
            optimize.brenth,
            optimize.bisect,
            optimize.ridder,
            optimize.toms748,
        )
    },
    optimize.root_scalar: root_scalar,
    optimize.newton: newton,
    optimize.fixed_point: fixed_point,
    optimize.fsolve: fsolve,
    optimize.root: root,
    optimize.minimize_scalar: minimize_scalar,
    optimize.minimize: minimize,
    optimize.brent: of_one(optimize.brent),
    optimize.golden: of_one(optimize.golden),
    optimize.fminbound: fminbound,
    optimize.fmin: of_several(optimize.fmin, sloped=False),
    optimize.fmin_powell: of_several(optimize.fmin_powell, sloped=False),
    optimize.fmin_bfgs: of_several(optimize.fmin_bfgs, sloped=True),
    optimize.fmin_cg: of_several(optimize.fmin_cg, sloped=True),
    optimize.least_squares: least_squares,
    optimize.leastsq: leastsq,
    optimize.curve_fit: curve_fit,
}
registry.add_written(WRITTEN)
READ = {optimize.approx_fprime, optimize.check_grad}
"""What SciPy's own source says of these is what is differentiated."""
add_solvers(
    function
    for function in vars(optimize).values()
    if isinstance(function, FunctionType) and function not in READ
)
