"""Calls into empyrical: statistics of returns."""

from __future__ import annotations

import empyrical as ep
import numpy as np

from tests.world.calls import call

DISTRIBUTION = "empyrical-reloaded"
R = np.array([0.01, -0.02, 0.015, 0.03, -0.01, 0.005, -0.004, 0.02])
S = np.array([0.02, -0.01, -0.013, 0.01, 0.004, 0.03, -0.02, 0.011])
M = np.array([0.012, -0.015, 0.01, 0.02, -0.012, 0.007, 0.001, 0.013])


@call(R, S)
def cumulative(r):
    return ep.cum_returns(r, starting_value=100.0)[4] + ep.cum_returns_final(r)


@call(100 * (1 + R), 100 + 10 * S)
def simple(prices):
    return np.sum(ep.simple_returns(prices) ** 2)


@call(R, S)
def drawdown(r):
    return ep.max_drawdown(r)


@call(R, S)
def yearly(r):
    return ep.annual_return(r, period="monthly") + ep.cagr(r, annualization=52)


@call(R, S)
def volatility(r):
    return ep.annual_volatility(r)


@call(R, S)
def sharpe(r):
    return ep.sharpe_ratio(r, risk_free=0.001)


@call(R, S)
def sortino(r):
    return ep.sortino_ratio(r, required_return=0.0005)


@call(R, S)
def downside(r):
    return ep.downside_risk(r, required_return=0.0005)


@call(R, S)
def calmar(r):
    return ep.calmar_ratio(r, period="weekly")


@call(R, S)
def omega(r):
    return ep.omega_ratio(r, risk_free=0.0002)


@call(R, S)
def market(r):
    return ep.beta(r, M) + ep.alpha(r, M, risk_free=0.0001)


@call(R, S)
def both(r):
    a, b = ep.alpha_beta_aligned(r, M)
    return a * b


@call(R, S)
def excess(r):
    return ep.excess_sharpe(r, M)


@call(R, S)
def captures(r):
    return ep.capture(r, M) + ep.tail_ratio(r)


@call(R, S)
def stability(r):
    return ep.stability_of_timeseries(r)


@call(R, S)
def tails(r):
    return ep.value_at_risk(r, 0.2) + ep.conditional_value_at_risk(r, 0.3)


@call(R, S)
def rolling(r):
    return np.sum(ep.roll_max_drawdown(r, window=4))


@call(0.001, 0.002)
def free(rf):
    return ep.sharpe_ratio(R, risk_free=rf) + ep.excess_sharpe(R, M * rf * 500)


@call(R, S)
def fragility(r):
    return ep.stats.gpd_es_calculator(0.02, 0.01, np.std(r), 0.2) + ep.stats.gpd_var_calculator(
        0.01, 0.2, np.mean(r**2), 0.05, 100, 10
    )
