"""Solvers, which are given functions: values are SciPy's, derivatives those of what is solved.

A root has the derivative of the implicit function; a minimum that of where the gradient vanishes,
but for what lies on a bound, which goes with that.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from scipy import optimize

from autodiff.rules import registry
from autodiff.rules.taking import as_it_is, root_of


def tupled(args):
    """`args=` as SciPy takes it."""
    return args if isinstance(args, tuple) else (args,)


def bracketed(solver):
    """A root between two points."""

    def solved(f, a, b, args=(), **options):
        more = tupled(args)
        found = as_it_is((a, *more), solver, f, a, b, args, **options)
        return root_of(lambda x: f(x, *more), float(found))

    return solved


def brentq(f, a, b, args=(), **options):
    more = tupled(args)
    found = as_it_is((a, *more), optimize.brentq, f, a, b, args, **options)
    return root_of(lambda x: f(x, *more), float(found))


registry.add_written({optimize.brentq: brentq})
