"""Statistics and tests of scipy.stats, through their own source: results that keep more than their
items, kernels, distances of samples.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, stats

from autodiff import AutodiffError, check_grads, grad, value_and_grad

pytestmark = [pytest.mark.followed, pytest.mark.filterwarnings("ignore::Warning")]
W = np.array([0.5, 1.5, 0.8, 1.1, 2.3])
Y = W**2 + np.array([0.1, 0.3, -0.2, 0.4, 0.1])


def density(p):
    return stats.gaussian_kde(p)(np.array([0.9, p[0]])).sum()


def density_of_pairs(p):
    plane = stats.gaussian_kde(np.stack([p, Y]), weights=p)
    return plane.evaluate([[0.5], [0.7]])[0] + stats.gaussian_kde(p, bw_method=0.3).logpdf(0.8)[0]


def density_at(p):
    return stats.gaussian_kde(Y).pdf(p).sum()


def correlation(p):
    return stats.pearsonr(p, Y).statistic + stats.pearsonr(Y, p)[0] ** 2


def line(p):
    found = stats.linregress(p, Y)
    return found.slope * found.intercept + found.rvalue + found.stderr


def of_means(p):
    return stats.ttest_ind(p, Y * 2)[0] + stats.ttest_1samp(p, 0.3)[1] + stats.ttest_rel(p, Y)[1]


def variances(p):
    return stats.f_oneway(p, Y, W + 0.3)[0] + stats.chisquare(p, p[::-1])[0]


def distance_of_samples(p):
    return stats.wasserstein_distance(p, W + 0.11)


def moments(p):
    found = stats.describe(p)
    return found.mean + found.variance + found.skewness + stats.circmean(p) + stats.moment(p, 3)


def expectiles(p):
    """A root of a function that SciPy makes: it holds what carries a derivative."""
    return np.sin(np.asarray(stats.expectile(p, 0.3))) + stats.expectile(p, 0.7, weights=p**2)


PROGRAMS = [
    expectiles,
    *(density, density_of_pairs, density_at, correlation, line, of_means, variances),
    *(distance_of_samples, moments),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda own: own.__name__)
def test_programs(program):
    value, _ = value_and_grad(program)(W)
    np.testing.assert_allclose(value, program(W), rtol=1e-12)
    check_grads(program, W)


def test_a_result_keeps_its_attributes():
    """It is a tuple with more beside its items, which are plain numbers outside."""
    kept = []

    def slope(p):
        kept.append(stats.linregress(p, Y))
        return kept[-1].slope

    check_grads(slope, W)
    assert type(kept[0].intercept_stderr) in (float, np.float64)


def test_methods_of_constant_arrays():
    nodes = np.sort(W)

    def chosen(x):
        return x[nodes.searchsorted(x[0])] * W.clip(x[0], x[1]).sum() + W.dot(x) ** 2

    check_grads(chosen, 1.05 * W)


def fitted_gamma(p):
    return stats.gamma.fit(p)[0]


def transformed(p):
    return stats.boxcox(p)[0].sum()


@pytest.mark.parametrize(
    ("program", "cure"), [(fitted_gamma, "optimize.minimize"), (transformed, "give `lmbda`")]
)
def test_searches_are_refused(program, cure):
    with pytest.raises(AutodiffError, match=cure):
        grad(program)(W)


def test_closed_forms_and_the_cure():
    def shape(p):
        def less(q):
            return -np.sum(stats.gamma.logpdf(p, q[0], 0.0, q[1]))

        found = optimize.minimize(less, np.array([3.0, 0.4]), method="BFGS", options={"gtol": 1e-9})
        return found.x[0]

    assert shape(W) == pytest.approx(stats.gamma.fit(W, floc=0)[0], rel=1e-5)
    check_grads(shape, W, rtol=1e-4)
    check_grads(lambda p: stats.norm.fit(p)[1] * stats.expon.fit(p)[1], W)
