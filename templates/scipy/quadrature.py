"""Quadratures, which are given functions: values are SciPy's, derivatives those of the integral."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

from types import FunctionType

from autodiff.templates.scipy import paths as _paths  # noqa: F401
from autodiff.templates.scipy.callbacks import tupled
from scipy import integrate

from autodiff.rules import registry
from autodiff.rules.taking import (
    add_solvers,
    as_it_is,
    integral_of,
    integral_of_arrays,
    refused,
)
from autodiff.runtime import formed, said


def quad(func, a, b, args=(), full_output=0, *, weight=None, **options):
    more = tupled(args)
    if weight is not None or options.get("complex_func", False):
        refused(
            "quad with a weight or a complex integrand",
            "the derivative at the limits is known of an integral of real numbers without weight",
            "multiply the integrand by the weight; integrate real and imaginary part",
        )
    sample = (0.5, *more)
    found = as_it_is(sample, integrate.quad, func, a, b, args, full_output, **options)

    def again(slope, low, high):
        return integrate.quad(slope, low, high, **options)[0]

    value = integral_of(lambda at: func(at, *more), again, a, b, formed(found, 0, 0.0))
    if full_output:
        return value, said(found, 1), said(found, 2)
    return value, said(found, 1)


def quad_vec(f, a, b, *rest, full_output=False, args=(), **options):
    more = tupled(args)
    named = {"full_output": full_output, "args": args, **options}
    found = as_it_is((0.5, *more), integrate.quad_vec, f, a, b, *rest, **named)

    def again(slope, low, high):
        return integrate.quad_vec(slope, low, high, *rest, **options)[0]

    value = integral_of_arrays(lambda at: f(at, *more), again, a, b, said(found, 0))
    if full_output:
        return value, said(found, 1), said(found, 2)
    return value, said(found, 1)


def within(func, ranges, args, options, values):
    """The integral over the first variables, for values of the others."""
    if len(ranges) == 0:
        return func(*values, *args)
    *inner, last = ranges
    low, high = limits(last, (*values, *args))

    def integrand(at):
        return within(func, inner, args, options, (at, *values))

    return integrate.quad(integrand, low, high, **options[len(inner)])[0]


def limits(range_, given):
    """The limits of a variable for values of those around it."""
    return range_(*given) if callable(range_) else range_


def outermost(func, ranges, args, options, found):
    """The integral over the last variable of the integral over the others."""
    *inner, last = ranges
    low, high = limits(last, args)

    def integrand(at):
        return within(func, inner, args, options, (at,))

    def again(slope, low, high):
        return integrate.quad(slope, low, high, **options[len(inner)])[0]

    return integral_of(integrand, again, low, high, formed(found, 0, 0.0)), said(found, 1)


def limit(bound, *values):
    """A limit, which may depend on the variables around."""
    return bound(*values) if callable(bound) else bound


def dblquad(func, a, b, gfun, hfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    options = {"epsabs": epsabs, "epsrel": epsrel}
    given = (a, b, gfun, hfun, args, epsabs, epsrel)
    found = as_it_is((0.5, 0.5, *args), integrate.dblquad, func, *given)
    inner = lambda x, *_: (limit(gfun, x), limit(hfun, x))  # noqa: E731
    return outermost(func, (inner, (a, b)), args, (options, options), found)


def tplquad(func, a, b, gfun, hfun, qfun, rfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    options = {"epsabs": epsabs, "epsrel": epsrel}
    given = (a, b, gfun, hfun, qfun, rfun, args, epsabs, epsrel)
    found = as_it_is((0.5, 0.5, 0.5, *args), integrate.tplquad, func, *given)
    inmost = lambda y, x, *_: (limit(qfun, x, y), limit(rfun, x, y))  # noqa: E731
    inner = lambda x, *_: (limit(gfun, x), limit(hfun, x))  # noqa: E731
    return outermost(func, (inmost, inner, (a, b)), args, (options,) * 3, found)


def nquad(func, ranges, args=(), opts=None, full_output=False):
    if full_output or callable(opts):
        refused(
            "nquad with full_output, or options by a function",
            "these are found when it runs",
            "leave full_output out, and give the options as dicts",
        )
    every = tuple(ranges)
    one = {} if opts is None else opts
    options = (one,) * len(every) if isinstance(one, dict) else tuple(one)
    found = as_it_is((0.5,) * len(every) + args, integrate.nquad, func, ranges, args, opts)
    return outermost(func, every, args, options, found)


WRITTEN = {
    integrate.quad: quad,
    integrate.quad_vec: quad_vec,
    integrate.dblquad: dblquad,
    integrate.tplquad: tplquad,
    integrate.nquad: nquad,
}
registry.add_written(WRITTEN)
READ = {integrate.fixed_quad, integrate.solve_ivp}
"""What SciPy's own source says of these is what is differentiated."""
add_solvers(
    function
    for function in vars(integrate).values()
    if isinstance(function, FunctionType) and function not in READ
)
