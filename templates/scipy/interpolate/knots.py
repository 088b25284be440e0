"""What FITPACK finds: its numbers as they are, without a derivative."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import _fitpack_repro

from autodiff.errors import NonDifferentiableError
from autodiff.rules import nondifferentiable, registry


@nondifferentiable
def as_found(function: Any, *given: Any) -> Any:
    """What a function in C gives."""
    return function(*given)


@nondifferentiable
def curve_as_found(fpcurf0: Any, fpcurf1: Any, x: Any, y: Any, k: Any, *options: Any) -> Any:
    """What `UnivariateSpline` makes of these: with as much room for knots as there may be."""
    found = fpcurf0(x, y, k, *options)
    if found[-1] != 1:
        return found
    room = len(x) + k + 1
    t, c, sums, places = (np.resize(found[place], room) for place in (8, 9, 11, 12))
    return fpcurf1(*found[:8], t, c, found[10], sums, places, found[13])


@nondifferentiable
def with_knots(fit: Any, task: int, x: Any, y: Any, w: Any, t: Any, *rest: Any) -> Any:
    """What a function gives that writes the knots into `t`, and these before the coefficients."""
    knots = np.array(t)
    n, c, away, ended = fit(task, x, y, w, knots, *rest)
    return n, knots, c, away, ended


@nondifferentiable
def spline_as_found(
    x: Any, y: Any, w: Any, xb: Any, xe: Any, k: int, s: Any, t: Any, nest: Any, periodic: bool
) -> Any:
    """The knots and coefficients that `make_splrep` finds; an older SciPy has none that close."""
    make = _fitpack_repro._make_splrep_impl
    more = {"periodic": periodic} if "periodic" in make.__code__.co_varnames else {}
    found = make(x, y, w=w, xb=xb, xe=xe, k=k, s=s, t=t, nest=nest, **more)
    return found.t, found.c


@nondifferentiable
def among(x: Any, knots: Any) -> Any:
    """The place of each knot among points; None if one is no point."""
    at = np.clip(np.searchsorted(x, knots), 0, len(x) - 1)
    return at if np.array_equal(x[at], knots) else None


@nondifferentiable
def nearly_solved(whole: Any, right: Any) -> Any:
    """What makes the columns of a matrix orthonormal, and the solution by least squares."""
    q, r = np.linalg.qr(whole)
    root = np.linalg.inv(r)
    return root, root @ (q.T @ right)


@nondifferentiable
def agree(found: Any, made: Any, within: float = 1e-6) -> None:
    """Asks whether these are the numbers that functions in C found.

    Raises:
        NotImplementedError: they are others, so that their derivative says nothing.
    """
    size = np.nanmax(np.abs(found), initial=1e-300)
    if not np.allclose(found, made, rtol=0.0, atol=within * size, equal_nan=True):
        raise NotImplementedError(
            "an interpolant that SciPy did not find to its end has no derivative rule: "
            "use fewer knots, or a larger s; or a smaller tol"
        )


@nondifferentiable
def is_minimum(found: Any, made: Any) -> None:
    """Asks whether what a search for a minimum found is nearly where the slope is 0.

    Raises:
        NotImplementedError: it is not: the search ended before, or at a bound.
    """
    if not np.allclose(found, made, rtol=1e-3, atol=0.0):
        raise NotImplementedError(
            "make_smoothing_spline chose a parameter of which SciPy knows few digits, so that it "
            "has no derivative rule: give it as lam"
        )


@nondifferentiable
def crosses(value: Any, slope: Any, x: Any, c: Any) -> None:
    """Asks whether all zeros are such where a curve crosses.

    Raises:
        NonDifferentiableError: it touches, jumps, or stays at 0.
    """
    size = np.max(np.abs(c), initial=0.0)
    steep = np.abs(slope) * np.ptp(x) > 1e-6 * size
    if not np.all(steep & (np.abs(value) <= 1e-6 * np.abs(slope) * np.ptp(x))):
        raise NonDifferentiableError(
            "a zero where a spline touches, jumps or stays has no derivative",
            why="near by there are two of them, or none",
            cure="leave out such zeros: those of the derivative say where they are",
        )


# FITPACK does not ask what it is given: nothing is called with made-up numbers.
registry.add_demanding(
    (
        as_found,
        curve_as_found,
        with_knots,
        spline_as_found,
        among,
        nearly_solved,
        agree,
        crosses,
        is_minimum,
    )
)
