"""Interpolants of SciPy's in values, points and places (templates/scipy/interpolate): they are in
Python over functions in C, which have recipes in NumPy.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import interpolate

from autodiff import check_grads, grad, value_and_grad
from tests.rules import interpolants, interpolants_of_several
from tests.rules.interpolants import S, T, V, W

PROGRAMS = {**interpolants.PROGRAMS, **interpolants_of_several.PROGRAMS}
pytestmark = [pytest.mark.followed, pytest.mark.filterwarnings("ignore::Warning")]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda own: own.__name__)
def test_programs(program):
    given = PROGRAMS[program]
    value, _ = value_and_grad(program)(given)
    np.testing.assert_allclose(value, program(given), rtol=1e-10)
    check_grads(program, given)


def through_a_spline(p):
    made = interpolate.CubicSpline(T, p)
    return made.integrate(0, p[0]) ** 2 + made.derivative()(p[1])


def on_a_grid(p):
    table = interpolate.RegularGridInterpolator((T, T[:2]), np.outer(p**2, [1, 2]))
    return np.sum(table(np.stack((p[:3], p[:3] / 3), axis=1)) ** 2)


def by_centres(p):
    at = np.array([[0.4, 0.3]]) * p[0]
    return interpolate.RBFInterpolator(np.array([T, T**2 % 3]).T, p)(at)[0] ** 2


def by_monotone_cubics(p):
    return np.sum(interpolate.PchipInterpolator(T, p)(p[:2] + 0.3) ** 2)


@pytest.mark.parametrize("program", [through_a_spline, on_a_grid, by_centres, by_monotone_cubics])
def test_second_derivatives(program):
    check_grads(program, W, order=2)


def test_a_surface_that_smoothes_is_refused():
    def surface(p):
        return interpolate.RectBivariateSpline(S, T, np.outer(p, T), s=0.2)(1.0, 1.0)[0, 0]

    with pytest.raises(NotImplementedError, match="a surface that smoothes"):
        grad(surface)(V)


def test_slopes_that_do_not_settle():
    """SciPy takes steps to them, and none is not enough."""

    def steps(p):
        made = interpolate.CloughTocher2DInterpolator(interpolants_of_several.Q, p, maxiter=1)
        return made(0.3, 0.4)

    with pytest.raises(NotImplementedError, match="did not find to its end"):
        grad(steps)(W)


def test_a_function_that_stands_for_a_spline_has_its_methods():
    """The compiler calls it; where it is more than called, the run is followed."""

    def slope(p):
        return interpolate.make_interp_spline(T, p).derivative()(1.3)

    check_grads(slope, W)


def test_memory_beyond_the_knots():
    """FITPACK's integral writes anywhere where the knots are made up: it is not asked so."""

    def area(p):
        return interpolate.splint(0.2, 2, interpolate.splrep(S, p, k=1))

    for _ in range(3):
        check_grads(area, V)


@pytest.mark.parametrize("knots", [[0, 0, 0, 0, 1, 2, 2, 2, 2, 2], [0, 0, 0, 0, 0, 1, 2, 2, 2, 2]])
def test_knots_that_are_one_at_the_ends(knots):
    """Between them SciPy gives 0, not a division by their distance."""
    places = np.array([-0.3, 0.0, 0.5, 2.0, 2.4])

    def values(c):
        return np.sum(interpolate.BSpline(np.array(knots, float), c, 3)(places) ** 2)

    value, slope = value_and_grad(values)(V)
    assert value == pytest.approx(values(V), rel=1e-12)
    assert np.all(np.isfinite(slope))


def test_knots_that_are_given():
    def near(p):
        return interpolate.splev(1.4, interpolate.splrep(S, p, t=[2.0]))

    value, _ = value_and_grad(near)(V)
    assert value == pytest.approx(near(V), rel=1e-9)
    check_grads(near, V)
