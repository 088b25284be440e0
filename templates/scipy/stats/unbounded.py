"""Densities on the whole line. `logarithmic` says which of pdf and logpdf a template is for."""

import numpy as np
from scipy import special, stats

from autodiff.rules import d, elementwise


def norm(logarithmic):
    @elementwise(stats.norm.logpdf if logarithmic else stats.norm.pdf)
    def density(y, x, loc=0, scale=1):
        z = (x - loc) / scale
        g = (d[y] if logarithmic else np.where(y == 0, 0.0, d[y] * y)) / scale
        d[x] = -g * z
        d[loc] = g * z
        d[scale] = g * (z**2 - 1)


def cauchy(logarithmic):
    @elementwise(stats.cauchy.logpdf if logarithmic else stats.cauchy.pdf)
    def density(y, x, loc=0, scale=1):
        z = (x - loc) / scale
        slope = -2 * z / (1 + z**2)
        finite = (z < np.inf) & (z > -np.inf)
        g = np.where(finite, d[y], 0.0) if logarithmic else np.where(y == 0, 0.0, d[y] * y)
        d[x] = g * slope / scale
        d[loc] = -g * slope / scale
        d[scale] = -g * (1 + z * slope) / scale


def laplace(logarithmic):
    @elementwise(stats.laplace.logpdf if logarithmic else stats.laplace.pdf)
    def density(y, x, loc=0, scale=1):
        """At its tip 0."""
        z = (x - loc) / scale
        g = (d[y] if logarithmic else np.where(y == 0, 0.0, d[y] * y)) / scale
        d[x] = -g * np.sign(z)
        d[loc] = g * np.sign(z)
        d[scale] = g * (np.abs(z) - 1)


def logistic(logarithmic):
    @elementwise(stats.logistic.logpdf if logarithmic else stats.logistic.pdf)
    def density(y, x, loc=0, scale=1):
        z = (x - loc) / scale
        slope = -np.tanh(z / 2)
        g = (d[y] if logarithmic else np.where(y == 0, 0.0, d[y] * y)) / scale
        d[x] = g * slope
        d[loc] = -g * slope
        d[scale] = -g * (1 + z * slope)


def gumbel_r(logarithmic):
    @elementwise(stats.gumbel_r.logpdf if logarithmic else stats.gumbel_r.pdf)
    def density(y, x, loc=0, scale=1):
        z = (x - loc) / scale
        slope = np.exp(-z) - 1
        g = (d[y] if logarithmic else np.where(y == 0, 0.0, d[y] * y)) / scale
        d[x] = g * slope
        d[loc] = -g * slope
        d[scale] = -g * (1 + z * slope)


def gumbel_l(logarithmic):
    @elementwise(stats.gumbel_l.logpdf if logarithmic else stats.gumbel_l.pdf)
    def density(y, x, loc=0, scale=1):
        z = (x - loc) / scale
        slope = 1 - np.exp(z)
        g = (d[y] if logarithmic else np.where(y == 0, 0.0, d[y] * y)) / scale
        d[x] = g * slope
        d[loc] = -g * slope
        d[scale] = -g * (1 + z * slope)


def t(logarithmic):
    @elementwise(stats.t.logpdf if logarithmic else stats.t.pdf)
    def density(y, x, df, loc=0, scale=1):
        z = (x - loc) / scale
        slope = -(df + 1) * z / (df + z**2)
        heavier = special.psi((df + 1) / 2) - special.psi(df / 2) - np.log1p(z**2 / df)
        finite = (z < np.inf) & (z > -np.inf)
        g = np.where(finite, d[y], 0.0) if logarithmic else np.where(y == 0, 0.0, d[y] * y)
        d[x] = g * slope / scale
        d[df] = g * (heavier - 1 / df + (df + 1) * z**2 / (df * (df + z**2))) / 2
        d[loc] = -g * slope / scale
        d[scale] = -g * (1 + z * slope) / scale


def skewnorm(logarithmic):
    @elementwise(stats.skewnorm.logpdf if logarithmic else stats.skewnorm.pdf)
    def density(y, x, a, loc=0, scale=1):
        z = (x - loc) / scale
        ratio = np.exp(-((a * z) ** 2) / 2 - special.log_ndtr(a * z)) / (2 * np.pi) ** 0.5
        slope = a * ratio - z
        finite = (z < np.inf) & (z > -np.inf)
        g = np.where(finite, d[y], 0.0) if logarithmic else np.where(y == 0, 0.0, d[y] * y)
        d[x] = g * slope / scale
        d[a] = g * z * ratio
        d[loc] = -g * slope / scale
        d[scale] = -g * (1 + z * slope) / scale


def vonmises(logarithmic):
    @elementwise(stats.vonmises.logpdf if logarithmic else stats.vonmises.pdf)
    def density(y, x, kappa, loc=0, scale=1):
        z = (x - loc) / scale
        slope = -kappa * np.sin(z)
        g = d[y] if logarithmic else d[y] * y
        d[x] = g * slope / scale
        d[kappa] = g * (np.cos(z) - special.i1e(kappa) / special.i0e(kappa))
        d[loc] = -g * slope / scale
        d[scale] = -g * (1 + z * slope) / scale


for template in (norm, cauchy, laplace, logistic, gumbel_r, gumbel_l, t, skewnorm, vonmises):
    template(logarithmic=True)
    template(logarithmic=False)
