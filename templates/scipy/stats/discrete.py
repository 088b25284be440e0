"""Probabilities of whole numbers, in the parameters."""

import numpy as np
from scipy import special, stats

from autodiff.rules import d, elementwise


def poisson(logarithmic):
    @elementwise(stats.poisson.logpmf if logarithmic else stats.poisson.pmf)
    def probability(y, k, mu, loc=0):
        g = np.where(np.isneginf(y), 0.0, d[y]) if logarithmic else d[y] * y
        d[mu] = g * ((k - loc) / np.where(k == loc, 1.0, mu) - 1)


def bernoulli(logarithmic):
    @elementwise(stats.bernoulli.logpmf if logarithmic else stats.bernoulli.pmf)
    def probability(y, k, p, loc=0):
        g = np.where(np.isneginf(y), 0.0, d[y]) if logarithmic else d[y] * y
        m = k - loc
        d[p] = g * (m / np.where(m == 0, 1.0, p) - (1 - m) / np.where(m == 1, 1.0, 1 - p))


def binom(logarithmic):
    @elementwise(stats.binom.logpmf if logarithmic else stats.binom.pmf)
    def probability(y, k, n, p, loc=0):
        g = np.where(np.isneginf(y), 0.0, d[y]) if logarithmic else d[y] * y
        m = k - loc
        d[p] = g * (m / np.where(m == 0, 1.0, p) - (n - m) / np.where(m == n, 1.0, 1 - p))


def geom(logarithmic):
    @elementwise(stats.geom.logpmf if logarithmic else stats.geom.pmf)
    def probability(y, k, p, loc=0):
        g = np.where(np.isneginf(y), 0.0, d[y]) if logarithmic else d[y] * y
        failures = k - loc - 1
        d[p] = g * (1 / p - failures / np.where(failures == 0, 1.0, 1 - p))


def nbinom(logarithmic):
    @elementwise(stats.nbinom.logpmf if logarithmic else stats.nbinom.pmf)
    def probability(y, k, n, p, loc=0):
        g = np.where(np.isneginf(y), 0.0, d[y]) if logarithmic else d[y] * y
        d[n] = g * (special.psi(k - loc + n) - special.psi(n) + np.log(p))
        d[p] = g * (n / p - (k - loc) / np.where(k == loc, 1.0, 1 - p))


def part(dist, upper, logarithmic):
    """Of a distribution function, its complement or the logarithm of one of both."""
    return getattr(dist, ("log" if logarithmic else "") + ("sf" if upper else "cdf"))


def poisson_part(upper, logarithmic):
    @elementwise(part(stats.poisson, upper, logarithmic))
    def probability(y, k, mu, loc=0):
        g = d[y] * np.exp(-np.where(np.isneginf(y), np.inf, y)) if logarithmic else d[y]
        last = np.where(k == np.inf, -np.inf, np.floor(k))
        slope = g * stats.poisson.pmf(last, mu, loc)
        d[mu] = slope if upper else -slope


def bernoulli_part(upper, logarithmic):
    @elementwise(part(stats.bernoulli, upper, logarithmic))
    def probability(y, k, p, loc=0):
        g = d[y] * np.exp(-np.where(np.isneginf(y), np.inf, y)) if logarithmic else d[y]
        slope = np.where(np.floor(k - loc) == 0, g, 0.0)
        d[p] = slope if upper else -slope


def binom_part(upper, logarithmic):
    @elementwise(part(stats.binom, upper, logarithmic))
    def probability(y, k, n, p, loc=0):
        g = d[y] * np.exp(-np.where(np.isneginf(y), np.inf, y)) if logarithmic else d[y]
        slope = g * n * stats.binom.pmf(np.floor(k), np.maximum(n - 1, 0), p, loc)
        d[p] = slope if upper else -slope


def geom_part(upper, logarithmic):
    @elementwise(part(stats.geom, upper, logarithmic))
    def probability(y, k, p, loc=0):
        trials = np.floor(k - loc)
        counts = (trials >= 1) & (trials < np.inf)
        power = np.where(counts, trials, 1.0)
        finite = np.where(np.isneginf(y), np.inf, y)
        g = np.where(counts, d[y] * np.exp(-finite) if logarithmic else d[y], 0.0) * power
        slope = g * (1 - p) ** (power - 1)
        beyond = np.where(counts, d[y], 0.0) * power / (1 - p)  # the logarithm is linear in `k`
        d[p] = (-beyond if logarithmic else -slope) if upper else slope


def nbinom_part(upper, logarithmic):
    @elementwise(part(stats.nbinom, upper, logarithmic))
    def probability(y, k, n, p, loc=0):
        g = d[y] * np.exp(-np.where(np.isneginf(y), np.inf, y)) if logarithmic else d[y]
        last = np.where(k == np.inf, -np.inf, np.floor(k))
        failures = np.where(np.isinf(k), 0.0, last - loc)
        slope = g * (n + failures) / p * stats.nbinom.pmf(last, n, p, loc)
        d[p] = -slope if upper else slope


for template in (poisson_part, bernoulli_part, binom_part, geom_part, nbinom_part):
    for upper in (False, True):
        template(upper, logarithmic=True)
        template(upper, logarithmic=False)
for template in (poisson, bernoulli, binom, geom, nbinom):
    template(logarithmic=True)
    template(logarithmic=False)
