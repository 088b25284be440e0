"""Roots and fixed points, by the implicit function theorem. Other searches are refused."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

from types import FunctionType

import numpy as np
from autodiff.templates.scipy import fits as _fits  # noqa: F401
from autodiff.templates.scipy import linear_fits as _linear_fits  # noqa: F401
from autodiff.templates.scipy import linear_programs as _programs  # noqa: F401
from autodiff.templates.scipy.callbacks import Found, alone, tupled
from scipy import optimize

from autodiff.rules import registry
from autodiff.rules.taking import add_solvers, as_it_is, refused, root_of
from autodiff.runtime import claims, formed, said, settled


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
    x = root_of(alone(f, more, fprime), formed(found, "root", 0.0))
    return Found(found, root=settled(x, claims(found, "converged")))


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
    return Found(found, x=settled(x, claims(found, "success")))


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
}
registry.add_written(WRITTEN)
READ = {optimize.approx_fprime, optimize.check_grad}
"""What SciPy's own source says of these is what is differentiated."""
add_solvers(
    function
    for function in vars(optimize).values()
    if isinstance(function, FunctionType) and function not in READ
)
