"""Prices of options by closed sums and matrices."""

import math

from tests.programs.kernels.peers import jax

jnp = jax.numpy


def binomial_tree_in_place(spot, strike, sigma, rate):
    n = 5
    dt = 1.0 / n
    u = jnp.exp(sigma * jnp.sqrt(dt))
    p = (jnp.exp(rate * dt) - 1 / u) / (u - 1 / u)
    total = 0.0
    for j in range(n + 1):
        payoff = jnp.maximum(spot * u ** (2 * j - n) - strike, 0.0)
        total = total + math.comb(n, j) * p**j * (1 - p) ** (n - j) * payoff
    return jnp.exp(-rate) * total


def asian_option_paths(noise, spot, sigma, rate):
    steps = (rate - 0.5 * sigma**2) * 0.2 + sigma * jnp.sqrt(0.2) * noise
    average = jnp.mean(spot * jnp.exp(jnp.cumsum(steps, axis=1)), axis=1)
    return jnp.exp(-rate) * jnp.mean(jax.nn.relu(average - 0.97))


def garch_likelihood(returns, p):
    h = jnp.mean(returns**2) + p[0]
    loglik = 0.0
    for r in returns:
        loglik = loglik - 0.5 * (jnp.log(h) + r**2 / h)
        h = p[0] + p[1] * r**2 + p[2] * h
    return loglik
