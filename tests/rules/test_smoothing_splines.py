"""Splines near values, with knots that FITPACK finds, and zeros of splines
(templates/scipy/interpolate/smoothing.py, fitting.py, roots.py).
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import interpolate

from autodiff import NonDifferentiableError, check_grads, grad, value_and_grad
from tests.rules import smoothing_splines as programs
from tests.rules.smoothing_splines import ROUND, X, Y

pytestmark = [pytest.mark.followed, pytest.mark.filterwarnings("ignore::Warning")]
IN_NUMPY = {programs.made, programs.penalized, programs.given_knots, programs.normal_equations}
"""Of these BSpline says the value, in terms of NumPy; of the others it is that of FITPACK."""
IN_NUMPY |= {programs.chosen_by_validation, programs.zeros_of_polynomials, programs.rows}


@pytest.mark.parametrize("program", programs.PROGRAMS, ids=lambda own: own.__name__)
def test_programs(program):
    value, _ = value_and_grad(program)(Y)
    np.testing.assert_allclose(value, program(Y), rtol=1e-13 if program in IN_NUMPY else 0.0)
    if program is programs.chosen_by_validation:  # SciPy finds five digits of a minimum
        check_grads(program, Y, rtol=1e-3)
    else:
        check_grads(program, Y)


@pytest.mark.heavy
@pytest.mark.parametrize("program", [programs.in_values, programs.zeros])
def test_second_derivatives(program):
    check_grads(program, Y, order=2)


def test_many_steps_of_the_iteration():
    """With 60 values that wave, of which a few knots are enough."""
    x = np.linspace(0, 6, 60)

    def smoothed(p):
        y = np.sin(3 * x) + 0.1 * np.cos(37 * x) + 0.1 * np.sin(x * p[0]) + 0.1 * p[1] * x
        return interpolate.UnivariateSpline(x, y, w=np.full(60, 10.0))(2.2)

    check_grads(smoothed, np.array([0.4, 0.7]))


@pytest.mark.parametrize("touching", [(X - 2.1) ** 2, np.zeros(9)], ids=["touches", "is zero"])
def test_a_zero_that_is_none_nearby(touching):
    def first(p):
        return interpolate.CubicSpline(X, p).roots(extrapolate=False)[0]

    with pytest.raises(NonDifferentiableError, match="touches, jumps or stays"):
        grad(first)(touching)


def test_periodic_with_knots_that_are_given():
    def near(p):
        closed = np.append(p, p[0])
        return interpolate.splev(1.0, interpolate.splrep(ROUND, closed, t=[2.0, 4.0], per=True))

    with pytest.raises(NotImplementedError, match="periodic spline with given knots"):
        grad(near)(Y)


def test_a_parameter_of_few_digits():
    """The best one is beyond the bound that SciPy sets."""

    def smooth(p):
        return interpolate.make_smoothing_spline(X, p)(2.2)

    with pytest.raises(NotImplementedError, match="give it as lam"):
        grad(smooth)(Y)
