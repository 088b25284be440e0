"""Distributions with frozen parameters."""

import numpy as np
from scipy import stats

from tests.language.corpus import program
from tests.language.data import P3

PRIOR = stats.gamma(2.0, scale=1.5)


@program([(P3, 0.4, 1.3)], analytic=False)
def frozen_distributions(x, a, b):
    normal = stats.norm(a, scale=b)
    total = np.sum(normal.logpdf(x)) + normal.cdf(a * a) + stats.beta(a, b, loc=-1).pdf(-0.3)
    return total + PRIOR.logpdf(b) * stats.multivariate_normal(x * a, b).logpdf(x[::-1])


@program([(P3, 0.4, 1.3)], analytic=False)
def frozen_in_a_loop(x, a, b):
    total = 0.0
    for k in range(3):
        own = stats.norm(a * k, b)
        total = total + np.sum(own.logpdf(x)) + own.isf(0.2)
    return total


@program([(0.8, 0.4)], analytic=False)
def shapes_by_keyword(x, b):
    return stats.gamma.cdf(x, a=2.5, scale=b) + stats.t.logpdf(x, df=b + 2.0, loc=b)
