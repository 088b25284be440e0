"""Prices of options by trees, by finite differences and along paths."""

import numpy as np

from tests.language.corpus import program
from tests.programs.kernels.data import wavy


@program([(100.0, 101.0, 0.2, 0.05)], analytic=True)
def binomial_tree_in_place(spot, strike, sigma, rate):
    n = 5
    dt = 1.0 / n
    u = np.exp(sigma * np.sqrt(dt))
    d = 1.0 / u
    p = (np.exp(rate * dt) - d) / (u - d)
    discount = np.exp(-rate * dt)
    values = np.zeros(n + 1)
    for j in range(n + 1):
        values[j] = np.maximum(spot * u**j * d ** (n - j) - strike, 0.0)
    for step in range(n, 0, -1):
        values[:step] = discount * (p * values[1 : step + 1] + (1 - p) * values[:step])
    return values[0]


@program([(100.0, 103.0, 0.25, 0.04)], analytic=True)
def american_put_tree(spot, strike, sigma, rate):
    n = 4
    dt = 1.0 / n
    u = np.exp(sigma * np.sqrt(dt))
    p = (np.exp(rate * dt) - 1 / u) / (u - 1 / u)
    prices = spot * u ** (2.0 * np.arange(n + 1) - n)
    values = np.maximum(strike - prices, 0.0)
    for step in range(n):
        prices = prices[:-1] * u
        values[:-1] = np.exp(-rate * dt) * (p * values[1:] + (1 - p) * values[:-1])
        values = values[:-1]
        exercise = strike - prices > values
        values[exercise] = (strike - prices)[exercise]
    return values[0]


@program([(0.3, 0.05, 1.1)], analytic=True)
def black_scholes_explicit(sigma, rate, strike):
    n, m = 8, 4
    grid = np.linspace(0.0, 2.4, n)
    dt = 0.02
    v = np.maximum(grid - strike, 0.0)
    k = np.arange(n)
    for step in range(m):
        v[1:-1] += dt * (
            0.5 * sigma**2 * k[1:-1] ** 2 * (v[2:] - 2 * v[1:-1] + v[:-2])
            + 0.5 * rate * k[1:-1] * (v[2:] - v[:-2])
            - rate * v[1:-1]
        )
        v[0] = 0.0
        v[-1] = grid[-1] - strike * np.exp(-rate * dt * (step + 1))
    return v


@program([(0.3, 0.05, 1.1)], analytic=True)
def black_scholes_implicit(sigma, rate, strike):
    n = 6
    s = np.linspace(0.0, 2.5, n)
    dt = 0.1
    v = np.where(s > strike, s - strike, 0.0)
    for step in range(2):
        a = np.eye(n)
        for i in range(1, n - 1):
            diffusion = 0.5 * dt * sigma**2 * i**2
            drift = 0.5 * dt * rate * i
            a[i, i - 1] -= diffusion - drift
            a[i, i] += 2 * diffusion + rate * dt
            a[i, i + 1] -= diffusion + drift
        v[-1] = s[-1] - strike * np.exp(-rate * dt * (step + 1))
        v[:] = np.linalg.solve(a, v)
    return v


@program([(wavy(4, 5), 1.0, 0.3, 0.02)], analytic=True)
def asian_option_paths(noise, spot, sigma, rate):
    paths = np.empty((4, 6))
    paths[:, 0] = spot
    dt = 0.2
    for t in range(5):
        drift = (rate - 0.5 * sigma**2) * dt
        paths[:, t + 1] = paths[:, t] * np.exp(drift + sigma * np.sqrt(dt) * noise[:, t])
    average = paths[:, 1:].mean(axis=1)
    payoff = average - 0.97
    payoff[payoff < 0] = 0.0
    return np.exp(-rate) * payoff.mean()


@program([(wavy(6, low=-0.1, high=0.1), wavy(3, low=0.1, high=0.3))], analytic=True)
def garch_likelihood(returns, p):
    omega, alpha, beta = p
    h = np.empty(len(returns))
    h[0] = np.mean(returns**2) + omega
    loglik = 0.0
    for t in range(len(returns)):
        if t > 0:
            h[t] = omega + alpha * returns[t - 1] ** 2 + beta * h[t - 1]
        loglik -= 0.5 * (np.log(h[t]) + returns[t] ** 2 / h[t])
    return loglik


@program([(wavy(4, low=0.01, high=0.05), wavy(3, low=0.1, high=0.3), 0.25)], analytic=True)
def libor_paths(forward, vol, delta):
    n = len(forward)
    for step in range(n - 1):
        shock = np.sqrt(delta) * (0.3 + 0.1 * step)
        drift = 0.0
        for i in range(step + 1, n):
            c = delta * vol[i - step - 1]
            drift += c * forward[i] / (1.0 + delta * forward[i])
            forward[i] *= np.exp(c * drift + vol[i - step - 1] * (shock - 0.5 * c))
    discount = np.ones(n + 1)
    for i in range(n):
        discount[i + 1] = discount[i] / (1.0 + delta * forward[i])
    return discount[1:]
