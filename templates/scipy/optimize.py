"""Solvers, which are given functions: values are SciPy's, derivatives those of what is solved.

A root has the derivative of the implicit function; a minimum that of where the gradient vanishes,
but for what lies on a bound, which goes with that.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from scipy import optimize

from autodiff.rules import registry
from autodiff.rules.taking import as_it_is, refused, root_of, slope_of
from autodiff.runtime import at_bound, counted, formed, valued


class Found:
    """What a solver gives: what has a derivative, and what else it says."""

    def __init__(self, found, **known):
        self.found = found
        for name in known:
            setattr(self, name, known[name])

    def __getattr__(self, name):
        return counted(getattr(self.found, name), name)

    def __getitem__(self, key):
        return getattr(self, key)


def tupled(args):
    """`args=` as SciPy takes it."""
    return args if isinstance(args, tuple) else (args,)


def alone(f, args, told=None):
    """A function of one argument. told: whether it gives its derivative, too; or that."""
    if isinstance(told, (bool, int)) and told:
        return lambda x: f(x, *args)[0]
    return lambda x: f(x, *args)


def in_form(f):
    """Equations in the form of the unknowns."""
    return lambda x: np.reshape(np.asarray(f(x)), np.shape(x))


# Roots ------------------------------------------------------------------------------------------


def bracketed(solver):
    """A root between two points."""

    def solved(f, a, b, args=(), *, full_output=False, **options):
        more = tupled(args)
        named = {"args": args, "full_output": full_output, **options}
        found = as_it_is((a, *more), solver, f, a, b, **named)
        if full_output:
            x = root_of(alone(f, more), float(found[0]))
            return x, Found(found[1], root=x)
        return root_of(alone(f, more), float(found))

    return solved


def root_scalar(
    f, args=(), method=None, bracket=None, fprime=None, fprime2=None, x0=None, x1=None, **options
):
    more = tupled(args)
    start = bracket[0] if x0 is None else x0
    named = {"bracket": bracket, "fprime": fprime, "fprime2": fprime2, "x0": x0, "x1": x1}
    found = as_it_is((start, *more), optimize.root_scalar, f, args, method, **named, **options)
    return Found(found, root=root_of(alone(f, more, fprime), float(found.root)))


def newton(func, x0, fprime=None, args=(), *, full_output=False, **options):
    more = tupled(args)
    named = {"args": args, "full_output": full_output, **options}
    if np.iscomplexobj(x0):
        refused(
            "newton for a complex root",
            "the implicit function theorem is there for real equations",
            "find the real and the imaginary part with scipy.optimize.root",
        )
    found = as_it_is((x0, *more), optimize.newton, func, x0, fprime, **named)
    f = alone(func, more)
    like = np.multiply(x0, 1.0)
    if full_output and np.ndim(x0) == 0:
        x = root_of(f, formed(found[0], like))
        return x, Found(found[1], root=x)
    if full_output:
        return root_of(f, formed(found[0], like)), found[1], found[2]
    return root_of(f, formed(found, like))


def fixed_point(func, x0, args=(), **options):
    more = tupled(args)
    found = as_it_is((x0, *more), optimize.fixed_point, func, x0, args, **options)
    x = formed(found, np.asarray(np.multiply(x0, 1.0)))
    return root_of(lambda x: x - np.reshape(func(x, *more), np.shape(x)), x)


def fsolve(func, x0, args=(), fprime=None, full_output=0, **options):
    more = tupled(args)
    start = np.ravel(np.asarray(x0, dtype=float))
    found = as_it_is((start, *more), optimize.fsolve, func, x0, args, fprime, full_output, **options)
    f = in_form(alone(func, more))
    if full_output:
        x = root_of(f, formed(found[0], start))
        return x, Found(found[1]), found[2], found[3]
    return root_of(f, formed(found, start))


def root(fun, x0, args=(), method="hybr", jac=None, **options):
    more = tupled(args)
    start = np.asarray(x0, dtype=float)
    if method in ("hybr", "lm"):
        start = np.ravel(start)
    found = as_it_is((start, *more), optimize.root, fun, x0, args, method, jac, **options)
    x = root_of(in_form(alone(fun, more, jac)), formed(found.x, start))
    return Found(found, x=x)


registry.add_written(
    {
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
    }
)
