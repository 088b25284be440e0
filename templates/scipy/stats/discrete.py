"""Probabilities of whole numbers, in the parameters."""

import numpy as np
from scipy import special, stats

from autodiff.rules import d, elementwise


def poisson(logarithmic):
    @elementwise(stats.poisson.logpmf if logarithmic else stats.poisson.pmf)
    def probability(y, k, mu, loc=0):
        g = np.where(np.isneginf(y), 0.0, d[y]) if logarithmic else d[y] * y
        d[mu] = g * ((k - loc) / np.where(k == loc, 1.0, mu) - 1)


@elementwise(stats.poisson.cdf)
def poisson_cdf(y, k, mu, loc=0):
    d[mu] = -d[y] * stats.poisson.pmf(np.floor(k), mu, loc)


@elementwise(stats.poisson.sf)
def poisson_sf(y, k, mu, loc=0):
    d[mu] = d[y] * stats.poisson.pmf(np.floor(k), mu, loc)


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


for template in (poisson, bernoulli, binom, geom, nbinom):
    template(logarithmic=True)
    template(logarithmic=False)
