"""Calls into PyPortfolioOpt: risk models, objectives, Black-Litterman, the critical line."""

from __future__ import annotations

import numpy as np
import pandas as pd
from pypfopt import (
    CLA,
    BlackLittermanModel,
    CovarianceShrinkage,
    EfficientFrontier,
    HRPOpt,
    black_litterman,
    expected_returns,
    objective_functions,
    risk_models,
)

from tests.world.calls import call

DISTRIBUTION = "pyportfolioopt"
MU = np.array([0.1, 0.15, 0.07])
COV = np.array([[0.04, 0.01, 0.004], [0.01, 0.09, 0.012], [0.004, 0.012, 0.02]])
W = np.array([0.5, 0.2, 0.3])
V = np.array([0.2, 0.35, 0.45])
PRICES = np.array(
    [[10.0, 20.0, 30.0], [10.2, 19.7, 30.9], [10.5, 20.4, 31.2], [10.3, 20.9, 30.8], [10.9, 21, 32]]
)


@call(W, V)
def variance(w):
    return objective_functions.portfolio_variance(w, COV)


@call(W, V)
def returned(w):
    return objective_functions.portfolio_return(w, MU, negative=False)


@call(W, V)
def sharpe(w):
    return objective_functions.sharpe_ratio(w, MU, COV, risk_free_rate=0.02)


@call(W, V)
def regularized(w):
    return objective_functions.L2_reg(w, gamma=0.5)


@call(W, V)
def utility(w):
    return objective_functions.quadratic_utility(w, MU, COV, risk_aversion=2.0)


@call(W, V)
def tracking(w):
    return objective_functions.ex_ante_tracking_error(w, COV, np.array([0.3, 0.3, 0.4]))


@call(W, V)
def historic(w):
    returns = PRICES[1:] / PRICES[:-1] - 1
    return 1e4 * objective_functions.ex_post_tracking_error(w, returns, returns[:, 0])


@call(1.5, 3.0)
def prior(risk_aversion):
    caps = {"A": 100.0, "B": 50.0, "C": 80.0}
    cov = pd.DataFrame(COV, index=list("ABC"), columns=list("ABC"))
    return black_litterman.market_implied_prior_returns(caps, risk_aversion, cov, 0.01)["B"]


def litterman(**options):
    p = np.array([[1.0, -1.0, 0.0], [0.0, 0.0, 1.0]])
    q = np.array([0.02, 0.05])
    return BlackLittermanModel(COV, pi=MU, P=p, Q=q, **options)


@call(0.03, 0.1)
def posterior(tau):
    return litterman(tau=tau, omega=np.diag([1e-3, 2e-3])).bl_returns().iloc[1]


@call(0.03, 0.1)
def posterior_cov(tau):
    return litterman(tau=tau).bl_cov().iloc[0, 1]


@call(0.02, 0.05)
def views(q):
    p = np.array([[1.0, -1.0, 0.0]])
    model = BlackLittermanModel(COV, pi=MU, P=p, Q=np.array([q]), risk_aversion=2.0)
    model.bl_weights()
    return model.weights[0]


@call(0.3, 0.8)
def confidence(c):
    return litterman(omega="idzorek", view_confidences=[c, 0.5]).bl_returns().iloc[0]


@call(np.array([0.1, 0.15, 0.07]), np.array([0.12, 0.1, 0.05]))
def critical_line(mu):
    cla = CLA(mu, COV)
    cla.min_volatility()
    return cla.weights[0] * 2 + cla.portfolio_performance()[0]


@call(np.array([0.1, 0.15, 0.07]), np.array([0.12, 0.1, 0.05]))
def best_sharpe(mu):
    cla = CLA(mu, COV)
    cla.min_volatility()
    return cla.portfolio_performance(risk_free_rate=0.02)[2]


@call(np.array([0.2, 0.3, 0.15]), np.array([0.4, 0.2, 0.3]))
def correlations(s):
    corr = np.array([[1.0, 0.2, 0.1], [0.2, 1.0, 0.3], [0.1, 0.3, 1.0]])
    return risk_models.corr_to_cov(corr, s).iloc[0, 1]


@call(0.04, 0.09)
def repaired(v):
    bad = np.array([[v, 0.1], [0.1, v]])
    return risk_models.fix_nonpositive_semidefinite(bad)[0, 0]


@call(0.03, 0.06)
def performance(v):
    ef = EfficientFrontier(MU, COV * v * 20)
    ef.set_weights({0: 0.3, 1: 0.3, 2: 0.4})
    return ef.portfolio_performance(risk_free_rate=0.01)[1]


@call(np.array([10.2, 10.5, 10.3, 10.9]), np.array([10.4, 10.1, 9.9, 10.6]))
def sampled(p):
    prices = np.column_stack([p, PRICES[:4, 1]])
    mu = expected_returns.mean_historical_return(pd.DataFrame(prices))
    return float(mu.iloc[0])


@call(0.1, 0.4)
def shrunk(delta):
    c = CovarianceShrinkage(pd.DataFrame(PRICES), frequency=12)
    return c.shrunk_covariance(delta).iloc[0, 1] * 1e3


@call(np.array([0.01, -0.02, 0.03, 0.01]), np.array([0.02, 0.01, -0.02, 0.03]))
def hierarchical(r):
    returns = pd.DataFrame(
        np.column_stack([r, [0.02, 0.01, -0.03, 0.02], [0.01, 0.04, 0.0, -0.03]])
    )
    return HRPOpt(returns).optimize()[0]
