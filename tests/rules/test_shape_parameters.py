"""Incomplete gamma and beta functions and what is made of them, in their parameters."""

from __future__ import annotations

import numpy as np
import pytest
from autodiff.templates.scipy.special import shapes
from scipy import special, stats

from autodiff import check_grads

P = np.array([0.5, 1.5, 0.8])


def gammas(p):
    a, x, _ = p
    ends = special.gammaincinv(a, 0.3) + special.gammainccinv(a, 0.3)
    return special.gammainc(a, x) + 2 * special.gammaincc(a, 2 * x) + ends


def betas(p):
    a, b, x = p
    ends = special.betaincinv(a, b, 0.3) + 2 * special.betainccinv(a, b, 0.2)
    return special.betainc(a, b, x) + 2 * special.betaincc(b, a, 0.1 * x) + ends


def scaled_gammas(p):
    a, b, x = p
    ends = special.gdtrix(a, b, 0.4) + special.gdtria(0.4, b, x)
    chi = special.chdtr(a, b) + 2 * special.chdtrc(b, a) + special.chdtri(a, 0.4)
    return special.gdtr(a, b, x) + 2 * special.gdtrc(b, a, x) + ends + chi


def students(p):
    df, t, _ = p
    ends = special.stdtrit(df, 0.3) + special.stdtrit(df, 0.8)
    return special.stdtr(df, t) + 2 * special.stdtr(df, -2 * t) + ends


def fishers(p):
    m, n, x = p
    ends = special.fdtri(3 * m, 3 * n, 0.4)
    return special.fdtr(m, n, x) + 2 * special.fdtrc(n, m, x) + ends


@pytest.mark.parametrize("program", [gammas, betas, scaled_gammas, students, fishers])
def test_functions(program):
    check_grads(program, P, order=2)


METHODS = ("cdf", "sf", "logcdf", "logsf", "ppf", "isf")


@pytest.mark.parametrize("name", ["gamma", "chi2", "t", "invgamma"])
@pytest.mark.parametrize("method", METHODS)
def test_distributions_of_one_shape(name, method):
    own = getattr(getattr(stats, name), method)
    check_grads(lambda p: own(0.3, 2 * p[0] + 0.3, 0.1 * p[1], p[2]), P)


@pytest.mark.parametrize("name", ["beta", "f"])
@pytest.mark.parametrize("method", METHODS)
def test_distributions_of_two_shapes(name, method):
    own = getattr(getattr(stats, name), method)
    check_grads(lambda p: own(0.3, 2 * p[0] + 0.3, 3 * p[1], 0.1 * p[1], p[2]), P)


def test_arrays_and_what_is_outside_of_the_support():
    x = np.array([-1.0, 0.0, 0.2, 30.0, np.inf])
    check_grads(lambda a: np.sum(special.gammainc(a, np.abs(x))), np.linspace(0.3, 40, 5))
    with np.errstate(invalid="ignore"):  # by SciPy's own density at infinity
        check_grads(lambda a: np.sum(stats.gamma.cdf(x, a)), 1.3)
    check_grads(lambda a: np.sum(stats.beta.cdf(x / 2, a, 1.2)), 1.3)
    check_grads(lambda df: np.sum(stats.t.cdf(x, df)), 1.3)


def test_far_tails_keep_their_digits():
    """The numbers are of mpmath, with 60 digits."""
    a, x = 467.9695334135769, 174.8597666613121
    assert shapes.gamma_shape(a, x) == pytest.approx(-4.878248182305992e-75, rel=1e-11)
    assert shapes.gamma_shape_again(a, x) == pytest.approx(4.803083209644795e-75, rel=1e-11)
    assert shapes.student_shape(30.0, 1.2) == pytest.approx(0.0001550912282439184, rel=1e-11)
    nearly_one = 8245.829494916225, 0.6828313872722538, 0.9997872964470738
    assert np.isfinite(shapes.beta_shape(*nearly_one))
    a, b, x = 128.35539345288262, 0.6173664142602484, 0.9963023981643744
    assert shapes.beta_shape(a, b, x) == pytest.approx(-0.0021122693772820333, rel=1e-11)
    assert shapes.beta_shape_again(a, b, x) == pytest.approx(1.4130895695348727e-05, rel=1e-11)
