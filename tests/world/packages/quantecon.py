"""Calls into quantecon: models of economics."""

from __future__ import annotations

import numpy as np
import quantecon as qe

from tests.world.calls import call

DISTRIBUTION = "quantecon"


@call(0.3, 0.7)
def response(phi):
    return np.sum(qe.ARMA([phi, 0.1], [0.4]).impulse_response(12))


@call(0.3, 0.7)
def autocovariance(theta):
    return qe.ARMA([0.5], [theta]).autocovariance(5)[1]


@call(0.9, 0.97)
def regulator(beta):
    own = qe.LQ(
        np.array([[1.0]]),
        np.array([[1.0, 0.1], [0.0, 0.9]]),
        np.eye(2),
        np.array([[0.0], [1.0]]),
        beta=beta,
    )
    p, f, _ = own.stationary_values()
    return p[0, 0] + f[0, 1]


@call(0.9, 0.97)
def horizon(beta):
    own = qe.LQ(0.5, 1.0, 1.0, 0.8, C=0.2, beta=beta, T=6, Rf=0.4)
    states, _, _ = own.compute_sequence(1.5, random_state=2)
    return np.sum(states)


@call(0.3, 0.8)
def kalman(r):
    own = qe.LinearStateSpace([[0.9, 0.1], [0.0, 0.8]], [[0.2], [0.5]], [[1.0, 0.3]], [[r]])
    sigma, gain = qe.Kalman(own).stationary_values()
    return np.trace(sigma) + gain[0, 0]


@call(0.3, 0.8)
def tracking(y):
    own = qe.Kalman(qe.LinearStateSpace(0.9, 0.4, 1.0, 0.6), [[1.0]], [[2.0]])
    for seen in (y, 0.4, 2 * y):
        own.update(seen)
    return float(own.x_hat[0, 0] + own.Sigma[0, 0])


@call(0.3, 0.8)
def stationary(rho):
    own = qe.LinearStateSpace([[rho, 0.1], [0.0, 0.7]], [[0.2], [0.5]], [[1.0, 0.3]])
    _, _, sigma_x, sigma_y, _ = own.stationary_distributions()
    return np.trace(sigma_x) + sigma_y[0, 0]


@call(0.3, 0.8)
def lyapunov(rho):
    a = np.array([[rho, 0.1], [0.2, 0.4]])
    return np.sum(qe.solve_discrete_lyapunov(a, np.eye(2)))


@call(0.3, 0.8)
def riccati(q):
    a, b = np.array([[0.9, 0.1], [0.0, 0.7]]), np.array([[0.3], [1.0]])
    return np.trace(qe.solve_discrete_riccati(a, b, q * np.eye(2), np.array([[0.5]])))


@call(0.2, 0.6)
def chain(p):
    return qe.MarkovChain([[1 - p, p], [0.3, 0.7]]).stationary_distributions[0][0]


@call(0.5, 0.8)
def discretized(rho):
    made = qe.tauchen(5, rho, 0.2)
    return np.sum(made.state_values**2) + made.P[1, 2]


@call(0.5, 0.8)
def rouwenhorst(rho):
    made = qe.rouwenhorst(4, rho, 0.2)
    return np.sum(made.P[0] * made.state_values)


@call(1.5, 3.0)
def quadrature(b):
    nodes, weights = qe.quad.qnwlege(7, 0.0, b)
    return weights @ np.exp(-(nodes**2))


@call(0.2, 0.8)
def discounted(a):
    own = np.array([[a, 0.1], [0.0, 0.5]])
    return qe.var_quadratic_sum(own, 0.3 * np.eye(2), np.eye(2), 0.9, np.array([1.0, 2.0]))


@call(np.array([1.0, 3.0, 2.5]), np.array([4.0, 1.0, 2.0]))
def inequality(income):
    _, shares = qe.lorenz_curve(np.append(income, 1.7))
    return qe.gini_coefficient(income) + np.sum(shares)


@call(0.9, 0.95)
def programming(beta):
    reward = np.array([[5.0, 10.0], [-1.0, 2.0]])
    moves = np.array([[[0.5, 0.5], [0.0, 1.0]], [[0.0, 1.0], [0.3, 0.7]]])
    return np.sum(qe.markov.DiscreteDP(reward, moves, beta).solve(method="policy_iteration").v)
