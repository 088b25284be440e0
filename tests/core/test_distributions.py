"""Distributions of SciPy: their methods have rules, with parameters given before or then."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tests.core.judge import Verdict, judge, programs

X = np.array([0.7, -0.4, 1.3, 0.2])
PRIOR = stats.gamma(2.0, scale=1.5)
NORMAL = stats.norm


class Prior:
    def __init__(self, d):
        self.d = d

    def __call__(self, v):
        return np.sum(self.d.logpdf(v))


P = Prior(stats.norm(0.5, 2.0))


def density(x, a):
    return np.sum(stats.norm.pdf(x, 0.3, a))


def parameters_by_name(x, a):
    return np.sum(stats.norm.logpdf(x, loc=0.3, scale=a))


def gamma(x, a):
    return np.sum(stats.gamma.logpdf(x**2, 2.5, scale=a))


def shape_by_name(x, a):
    return np.sum(stats.gamma.cdf(x**2, a=2.5, scale=a))


def degrees_by_name(x, a):
    return np.sum(stats.t.logpdf(x, df=3.0, loc=a))


def where_the_support_begins(x, a):
    return stats.gamma.logpdf(0.0, 1.0, 0.0, x[0] ** 2 + 1) * a


def beta(x, a):
    return np.sum(stats.beta.pdf(x**2 / 4, 2.0, 3.0)) * a


def poisson(x, a):
    return np.sum(stats.poisson.logpmf(3, x**2 + a))


def frozen_outside(x, a):
    return PRIOR.logpdf(a) * np.sum(x)


def frozen_in_a_loop(x, a):
    s = 0.0
    for k in range(3):
        own = stats.norm(a * k, a + 1)
        s = s + np.sum(own.logpdf(x)) + own.isf(0.2)
    return s


def distribution_outside(x, a):
    return np.sum(NORMAL.logpdf(x, a, 2.0))


def frozen_on_a_path(x, a):
    d = stats.norm(a, scale=2.0) if a > 0.5 else stats.norm(a, scale=3.0)
    return np.sum(d.logpdf(x))


def frozen_in_a_list(x, a):
    ds = [stats.norm(a, 2.0), stats.gamma(a + 1.0), stats.norm()]
    return sum(d.logpdf(a + 0.5) for d in ds) * np.sum(x)


def several_variables(x, a):
    return stats.multivariate_normal(x * a, 1.5).logpdf(x[::-1])


def parameters_that_change(x, a):
    m = x * a
    d = stats.norm(m, 2.0)
    m[0] = 3.0
    return np.sum(d.logpdf(x))


def parameters_in_a_tuple(x, a):
    return np.sum(stats.norm.logpdf(x, *(a, 2.0)))


def parameters_in_a_dict(x, a):
    p = {"loc": a, "scale": 2.0}
    return np.sum(stats.norm.logpdf(x, **p))


def frozen_in_an_object(x, a):
    return P(x * a)


def exponential_and_uniform(x, a):
    return np.sum(stats.expon(scale=a).logpdf(x**2)) + np.sum(stats.uniform(0, 2).cdf(x**2))


def method_in_a_variable(x, a):
    f = stats.norm.logpdf
    return np.sum(f(x, a))


def methods_in_a_list(x, a):
    fs = [stats.norm.logpdf, stats.norm.logcdf]
    return sum(np.sum(f(x, a)) for f in fs)


PROGRAMS = programs(globals())


def draws(x, a):
    return stats.norm(a, 2.0).rvs(random_state=1) * np.sum(x)


def mean(x, a):
    return stats.norm(a, 2.0).mean() * np.sum(x)


@pytest.mark.parametrize("program", programs(globals()), ids=lambda program: program.__name__)
def test_right_or_not_taken(program):
    found = judge(program, [(X, 0.8)], ("x", "a"))
    assert found == Verdict("right" if program in PROGRAMS else "not yet", found.why)
