"""Calls into arch: volatility models, distributions, covariance."""

from __future__ import annotations

import numpy as np
from arch.covariance.kernel import Bartlett, Parzen
from arch.univariate import (
    GARCH,
    HARCH,
    ConstantMean,
    ConstantVariance,
    EWMAVariance,
    GeneralizedError,
    MIDASHyperbolic,
    Normal,
    RiskMetrics2006,
    SkewStudent,
    StudentsT,
    ZeroMean,
)
from arch.univariate.recursions_python import (
    aparch_recursion_python,
    arch_recursion_python,
    egarch_recursion_python,
    figarch_weights_python,
    garch_recursion_python,
    harch_recursion_python,
)
from arch.utility.array import ensure1d

from tests.world.calls import call

DISTRIBUTION = "arch"
E = np.array([0.3, -0.8, 1.2, 0.1, -0.4, 0.9, -1.5, 0.2])
BOUNDS = np.tile([1e-3, 1e3], (8, 1))


@call(0.5, 1.5)
def normal(v):
    return Normal().loglikelihood([], E, v * np.ones(8))


@call(4.5, 9.0)
def student(nu):
    return StudentsT().loglikelihood(np.array([nu]), E, np.ones(8))


@call(-0.3, 0.2)
def skewed(lam):
    return SkewStudent().loglikelihood(np.array([6.0, lam]), E, np.ones(8))


@call(1.3, 1.8)
def generalized(nu):
    return GeneralizedError().loglikelihood([nu], E, np.ones(8))


@call(np.array([0.1, 0.15, 0.7]), np.array([0.2, 0.1, 0.6]))
def garch(parameters):
    sigma2 = np.zeros(8)
    garch_recursion_python(parameters, E**2, np.sign(E), sigma2, 1, 0, 1, 8, 1.0, BOUNDS)
    return np.sum(np.log(sigma2) + E**2 / sigma2)


@call(np.array([0.1, 0.15, 0.05, 0.7]), np.array([0.2, 0.1, 0.1, 0.6]))
def gjr(parameters):
    sigma2 = np.zeros(8)
    sigma2 = garch_recursion_python(
        parameters, np.abs(E) ** 2, np.sign(E), sigma2, 1, 1, 1, 8, 0.9, BOUNDS
    )
    return np.sum(sigma2)


@call(np.array([0.1, 0.3, 0.2]), np.array([0.2, 0.1, 0.4]))
def arch_model(parameters):
    sigma2 = np.zeros(8)
    arch_recursion_python(parameters, E, sigma2, 2, 8, 1.0, BOUNDS)
    return sigma2[5] + np.sum(sigma2)


@call(np.array([0.1, 0.3, 0.2]), np.array([0.2, 0.1, 0.4]))
def harch(parameters):
    sigma2 = np.zeros(8)
    harch_recursion_python(parameters, E, sigma2, np.array([1, 3], np.int32), 8, 1.0, BOUNDS)
    return np.sum(sigma2**2)


@call(np.array([0.1, 0.3, -0.1, 0.6]), np.array([0.05, 0.1, 0.1, 0.7]))
def egarch(parameters):
    sigma2, lnsigma2, std, absstd = np.zeros(8), np.zeros(8), np.zeros(8), np.zeros(8)
    egarch_recursion_python(parameters, E, sigma2, 1, 1, 1, 8, 0.1, BOUNDS, lnsigma2, std, absstd)
    return np.sum(sigma2)


@call(np.array([0.1, 0.1, 0.1, 0.6, 1.5]), np.array([0.05, 0.1, 0.2, 0.5, 1.8]))
def aparch(parameters):
    sigma2, sigma_delta = np.zeros(8), np.zeros(8)
    aparch_recursion_python(parameters, E, np.abs(E), sigma2, sigma_delta, 1, 1, 1, 8, 1.0, BOUNDS)
    return np.sum(sigma2)


@call(np.array([0.2, 0.4, 0.3]), np.array([0.1, 0.3, 0.2]))
def fractional(parameters):
    return np.sum(figarch_weights_python(parameters, 1, 1, 10) ** 2)


@call(np.array(E), np.array(E[::-1] * 1.3))
def backcast(resids):
    return GARCH(1, 0, 1).backcast(resids) + ConstantVariance().starting_values(resids)[0]


@call(0.9, 0.97)
def smoothed(lam):
    return EWMAVariance(lam).compute_variance(np.empty(0), E, np.ones(8), 1.0, BOUNDS)[3]


@call(np.array(E), np.array(E[::-1] * 1.3))
def starting(resids):
    return np.sum(RiskMetrics2006(kmax=3).backcast(resids))


@call(0.3, 0.7)
def parameters(theta):
    w = MIDASHyperbolic(m=6)._weights([0.1, 0.5, theta])
    return w[2]


@call(0.2, 0.9)
def mean(mu):
    m = ConstantMean(E)
    return np.sum(m.resids(np.array([mu])) ** 2) + HARCH([1, 3]).num_params


@call(0.2, 0.9)
def zero_mean(v):
    m = ZeroMean(E, volatility=ConstantVariance(), distribution=Normal())
    sigma2 = np.zeros(8)
    return -m._loglikelihood(np.array([v]), sigma2, 1.0, BOUNDS)


@call(0.2, 0.9)
def quantiles(q):
    return Normal().ppf(q) + StudentsT().ppf(q, np.array([6.0])) + Normal().cdf(q)


@call(np.array(E), np.array(E[::-1] * 1.3))
def long_run(x):
    x = ensure1d(x, "x")
    return (
        Bartlett(x, bandwidth=2.0).cov.long_run[0, 0] + Parzen(x, bandwidth=3.0).cov.short_run[0, 0]
    )
