"""Recursions on short arrays, by closed formulas and matrices."""

import math

from tests.programs.kernels.peers import jax

jnp = jax.numpy


def horner_derivatives(a, x):
    def p(t):
        return sum(c * t**k for k, c in enumerate(a))

    return jnp.stack([p(x), jax.grad(p)(x), jax.grad(jax.grad(p))(x)])


def clenshaw(c, x):
    return sum(c[k] * jnp.cos(k * jnp.arccos(x)) for k in range(len(c)))


def chebyshev_vandermonde(x):
    return jnp.cos(jnp.arange(5.0) * jnp.arccos(x)[:, None])


def de_casteljau(b, t):
    n = len(b) - 1
    return sum(math.comb(n, k) * (1 - t) ** (n - k) * t**k * b[k] for k in range(n + 1))


def lagrange(xs, ys, at):
    total = 0.0
    for i in range(len(xs)):
        term = ys[i]
        for j in range(len(xs)):
            if i != j:
                term = term * (at - xs[j]) / (xs[i] - xs[j])
        total = total + term
    return total


def neville(xs, p, x):
    return lagrange(xs, p, x)


def divided_differences(x, y, at):
    return lagrange(x, y, at)


def prefix_sum_in_place(x):
    return jnp.cumsum(x)


def blelloch_scan(x):
    return jnp.cumsum(x) - x


def exponential_moving_average(x, alpha):
    ema = [x[0]]
    for value in x[1:]:
        ema.append(ema[-1] + alpha * (value - ema[-1]))
    return jnp.sum((x - jnp.stack(ema)) ** 2)
