"""Calls into statsmodels: likelihoods, families, moments, regressions."""

from __future__ import annotations

import numpy as np
import statsmodels.api as sm
from statsmodels.stats import moment_helpers
from statsmodels.tools.eval_measures import rmse
from statsmodels.tsa.arima_process import ArmaProcess, arma_acovf

from tests.world.calls import call

DISTRIBUTION = "statsmodels"
TIME = np.arange(12.0)
X = sm.add_constant(np.column_stack([np.sin(TIME), np.cos(0.7 * TIME)]))
Y = 1.0 + 0.5 * X[:, 1] - 0.3 * X[:, 2] + 0.1 * np.sin(5 * TIME)
COUNTS = np.round(np.exp(0.4 + 0.5 * X[:, 1])) + 0.0
HITS = (np.sin(3 * TIME) > 0).astype(float)
B = np.array([0.4, 0.3, -0.2])
B2 = np.array([-0.1, 0.8, 0.5])


@call(B, B2)
def poisson_loglike(b):
    return sm.Poisson(COUNTS, X).loglike(b)


@call(B, B2)
def logit_loglike(b):
    return sm.Logit(HITS, X).loglike(b)


@call(B, B2)
def probit_loglike(b):
    return sm.Probit(HITS, X).loglike(b)


@call(B, B2)
def ols_loglike(b):
    return sm.OLS(Y, X).loglike(b)


@call(B, B2)
def glm_loglike(b):
    model = sm.GLM(COUNTS, X, family=sm.families.Poisson())
    return model.loglike(b)


@call(B, B2)
def gamma_glm(b):
    model = sm.GLM(np.exp(Y), X, family=sm.families.Gamma(sm.families.links.Log()))
    return model.loglike(b, scale=0.7)


@call(B, B2)
def prediction(b):
    return np.sum(sm.GLM(HITS, X, family=sm.families.Binomial()).predict(b) ** 2)


@call(np.array([0.4, 0.3, -0.2, 0.6]), np.array([-0.1, 0.8, 0.5, 1.2]))
def negative_binomial(b):
    return sm.NegativeBinomial(COUNTS, X).loglike(b)


@call(Y[:6], Y[3:9])
def fitted(y):
    return sm.OLS(y, X[:6]).fit().params[1]


@call(Y[:6], Y[3:9])
def weighted(y):
    return sm.WLS(y, X[:6], weights=np.arange(1.0, 7.0)).fit().ssr


@call(np.array([0.4, 1.3, 2.2]), np.array([0.7, 0.2, 1.9]))
def deviance(mu):
    return sm.families.Poisson().deviance(np.array([1.0, 2.0, 1.0]), mu)


@call(0.3, 0.7)
def links(p):
    family = sm.families.links
    return family.Logit()(p) + family.CLogLog().deriv(p) + family.Probit().inverse(p)


@call(np.array([0.4, 1.3, -2.2]), np.array([0.7, 0.2, 3.1]))
def robust_norms(z):
    return np.sum(sm.robust.norms.HuberT(1.1).rho(z)) + np.sum(
        sm.robust.norms.TukeyBiweight().rho(z)
    )


@call(0.2, 0.7)
def autocovariance(phi):
    return arma_acovf([1.0, -phi], [1.0, 0.3], nobs=4)[1]


@call(0.2, 0.7)
def impulse_response(phi):
    return np.sum(ArmaProcess([1.0, -phi], [1.0, 0.3]).impulse_response(6) ** 2)


@call(Y, Y**2 + 0.1 * TIME)
def autocorrelation(y):
    return np.sum(sm.tsa.acf(y, nlags=3, fft=False) ** 2)


@call(Y, Y**2 + 0.1 * TIME)
def statistics(y):
    return sm.stats.durbin_watson(y) + sm.stats.jarque_bera(y)[0] + rmse(y, TIME)


@call(0.4, 1.7)
def cumulants(v):
    return (
        moment_helpers.mnc2mc([0.1, v, 0.3, 2.0])[3] + moment_helpers.cum2mc([0.1, v, 0.3, 2.0])[3]
    )


@call(np.array([0.4, 1.3, -2.2, 0.9, 0.5]), np.array([0.7, 0.2, 3.1, -0.4, 1.8]))
def density(y):
    kde = sm.nonparametric.KDEUnivariate(y)
    kde.fit(kernel="gau", fft=False, bw=0.5)
    return kde.evaluate(0.3)[0]
