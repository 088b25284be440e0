"""Calls into chaospy: distributions and polynomial chaos."""

from __future__ import annotations

import chaospy as cp
import numpy as np

from tests.world.calls import call

DISTRIBUTION = "chaospy"


@call(0.4, 1.3)
def normal_density(x):
    return cp.Normal(0.2, 0.7).pdf(x)


@call(0.4, 0.8)
def distribution_parameters(s):
    return cp.Normal(0.2, s).pdf(0.5) + cp.Gamma(2.0, s).cdf(0.9)


@call(0.4, 0.8)
def quantile(q):
    return cp.Normal(0.2, 0.7).inv(q) + cp.Uniform(1.0, 3.0).inv(q)


@call(np.array([0.4, 0.8]), np.array([0.2, 0.6]))
def joint(x):
    return cp.J(cp.Normal(), cp.Uniform(0.0, 1.0)).pdf(x)


@call(0.4, 0.8)
def moments(mu):
    own = cp.Normal(mu, 0.5)
    return float(cp.E(own)) + float(cp.Var(own))


@call(0.4, 1.3)
def polynomial(x):
    q0, q1 = cp.variable(2)
    return float((1.0 + q0**2 - 3 * q0 * q1)(x, 0.7))


@call(0.4, 1.3)
def coefficients(a):
    q = cp.variable()
    return float(cp.polynomial([a * q**2, q + a])(0.7)[0])


@call(0.4, 1.3)
def expansion(x):
    made = cp.generate_expansion(3, cp.Normal(0.0, 1.0))
    return np.sum(made(x))


@call(0.4, 1.3)
def chaos(a):
    own = cp.Uniform(0.0, 1.0)
    nodes, weights = cp.generate_quadrature(4, own, rule="gaussian")
    made = cp.generate_expansion(2, own)
    fitted = cp.fit_quadrature(made, nodes, weights, np.exp(-a * nodes[0]))
    return float(cp.E(fitted, own)) + float(cp.Std(fitted, own))


@call(0.4, 1.3)
def regression(a):
    nodes = np.linspace(0.1, 0.9, 7)
    made = cp.monomial(0, 3)
    fitted = cp.fit_regression(made, nodes[None, :], np.sin(a * nodes))
    return float(fitted(0.45))


@call(0.4, 1.3)
def quadrature(a):
    nodes, weights = cp.generate_quadrature(4, cp.Normal(0.0, a), rule="gaussian")
    return np.sum(weights * np.cos(nodes[0]))


@call(0.4, 0.8)
def truncated(x):
    return cp.Trunc(cp.Normal(0.5, 0.4), lower=0.0, upper=1.0).pdf(x)


@call(0.4, 0.8)
def correlated(x):
    own = cp.MvNormal([0.1, 0.2], [[1.0, 0.3], [0.3, 0.7]])
    return own.pdf([x, 0.5])
