"""Functions of SciPy."""

import numpy as np
from scipy import special, stats

from tests.golden.case import case

POINTS = np.array([0.3, 1.1, 2.4])


@case(0.3, 1.2, POINTS, wrt=("mean", "width"))
def likelihood(mean, width, data):
    inside = np.sum(stats.norm.logpdf(data, mean, width))
    return inside + stats.gamma.logpdf(width, 2.0) + np.sum(stats.norm.logsf(data, mean))


@case(POINTS)
def special_functions(x):
    return np.sum(special.gammaln(x) * special.expit(x)) + special.logsumexp(x)
