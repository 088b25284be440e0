"""Where a formula is 0 / 0 all derivatives are those of the function, there and close by.

Expected: coefficients of the power series (DLMF 4.19, 10.53, 25.2, 25.12), times factorials.
"""

import math

import numpy as np
import pytest
from scipy import special

from autodiff import grad, jvp

PI = math.pi
LOG = 0.5 * math.log(2 * PI)
CASES = {
    "sinc": (lambda x: np.sinc(x), 0.0, [0.0, -(PI**2) / 3, 0.0, PI**4 / 5]),
    "sine integral": (lambda x: special.sici(x)[0], 0.0, [1.0, 0.0, -1 / 3, 0.0]),
    "dilogarithm": (lambda x: special.spence(x), 1.0, [-1.0, 1 / 2, -2 / 3]),
    "relative exponential": (lambda x: special.exprel(x), 0.0, [1 / 2, 1 / 3, 1 / 4]),
    "modified Bessel": (lambda x: np.i0(x), 0.0, [0.0, 1 / 2, 0.0]),
    "spherical Bessel 0": (lambda x: special.spherical_jn(0, x), 0.0, [0.0, -1 / 3, 0.0]),
    "spherical Bessel 1": (lambda x: special.spherical_jn(1, x), 0.0, [1 / 3, 0.0, -1 / 5]),
    "spherical Bessel 2": (lambda x: special.spherical_jn(2, x), 0.0, [0.0, 2 / 15, 0.0]),
    "modified spherical 1": (lambda x: special.spherical_in(1, x), 0.0, [1 / 3, 0.0, 1 / 5]),
    "zeta": (lambda x: special.zetac(x), 0.0, [-LOG]),
}


@pytest.mark.parametrize("shift", [0.0, 1e-12, -1e-9])
@pytest.mark.parametrize("name", CASES)
def test_all_orders(name, shift):
    f, point, expected = CASES[name]
    for slope in expected:
        f = grad(f)
        assert np.isclose(f(point + shift), slope, rtol=1e-7, atol=2e-7), slope


@pytest.mark.parametrize("name", CASES)
def test_forward_over_reverse(name):
    f, point, expected = CASES[name]
    found = jvp(grad(f), (point,), (1.0,))
    assert np.allclose(found[: len(expected)], expected[:2], atol=1e-12)


def test_derivatives_of_sinc_are_continuous_where_the_formula_changes():
    points = np.array([1.5, 2.0, 2.5, 3.0]) / PI
    third = grad(grad(grad(lambda x: np.sinc(x))))
    for x in points:
        here = [third(x + way) for way in (-1e-13, 1e-13)]
        assert np.isclose(*here, rtol=1e-10)
