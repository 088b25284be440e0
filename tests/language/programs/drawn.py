"""Random numbers that are drawn inside: they are numbers and arrays like any other."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import M23, V3


@program([(V3, 3)], analytic=True)
def noise_in_a_loop(x, n):
    rng = np.random.default_rng(3)
    y = x
    for _ in range(n):
        y = np.sin(y) + rng.normal(size=x.shape) * y + rng.random(len(x)) * 0.1
    return np.sum(y**2) * rng.normal()


def shaken(x, rng):
    return x + 0.1 * rng.standard_normal(x.shape)


@program([(M23,)], analytic=True)
def noise_from_a_helper(m):
    rng = np.random.RandomState(5)
    total = np.sum(shaken(m, rng) ** 3)
    for row in m:
        total = total + np.sum(np.cos(shaken(row, rng)))
    return total


@program([(V3,)], analytic=True)
def chosen_places(x):
    rng = np.random.default_rng(seed=1)
    total = 0.0
    for _ in range(5):
        i, j = rng.integers(3, size=2)
        total = total + x[i] * np.sin(x[j]) + x[rng.choice(3)]
        if rng.random() < 0.5:
            total = total * x[rng.integers(3)]
    return total


@program([(V3,)], analytic=True)
def shuffled(x):
    rng = np.random.default_rng(2)
    order = np.arange(3)
    rng.shuffle(order)
    y = x[order] * x[rng.permutation(3)]
    return np.sum(y * np.arange(3.0))


@program([(V3, 4)], analytic=True)
def monte_carlo(x, n):
    rng = np.random.default_rng(4)
    points = rng.uniform(-1.0, 1.0, (n, 3))
    mask = rng.random(n) < 0.7
    weights = rng.dirichlet(np.ones(3), size=n)
    return np.mean(np.exp(points @ x)[mask]) + np.sum(weights * x**2) / n


@program([(V3,)], analytic=True)
def many_draws(x):
    rng = np.random.default_rng(6)
    z = rng.normal(size=(1000, 3))
    return np.mean(np.sum(z * x, axis=1) ** 2) + np.sum(rng.poisson(1000, 3) * x)


@program([(V3,)], analytic=True)
def drawn_from_the_one_that_all_share(x):
    np.random.seed(7)
    y = x * np.random.randn(3) + np.random.uniform(size=3)
    return np.sum(y**2) * np.random.rand()


@program([(0.3, 0.7), (V3, V3 * V3 + 0.1), (V3, 0.5)])
def parameters_of_what_is_drawn(a, b):
    rng = np.random.default_rng(8)
    total = rng.normal(a, b * b) * rng.uniform(a, a + b * b)
    total = total + rng.gamma(2.5, b) + rng.exponential(a * a)
    total = total + rng.laplace(a, scale=b) + rng.logistic(a, b) + rng.gumbel(a, b)
    total = total * rng.lognormal(a, b) + rng.rayleigh(b)
    return np.sum(total)


@program([(0.3, 0.7), (V3, V3 * V3 + 0.1)])
def parameters_and_a_size(a, b):
    rng = np.random.RandomState(9)
    y = rng.normal(loc=a, scale=b, size=(2, 3)) + rng.uniform(high=b * b, size=3)
    return np.sum(y**2) + np.sum(rng.exponential(b, size=(4, 3)))


@program([(V3,)])
def policy(x):
    np.random.seed(11)
    action = np.random.normal(x[0], 0.1)
    for k in range(3):
        action = action + np.random.normal(x[1] * action, x[2] ** 2)
    return action**2
