"""Densities on a half-line. `logarithmic` says which of pdf and logpdf a template is for."""

import numpy as np
from scipy import special, stats

from autodiff.rules import d, elementwise


def expon(logarithmic):
    @elementwise(stats.expon.logpdf if logarithmic else stats.expon.pdf)
    def density(y, x, loc=0, scale=1):
        z = (x - loc) / scale
        g = (np.where(z < 0, 0.0, d[y]) if logarithmic else np.where(y == 0, 0.0, d[y] * y)) / scale
        d[x] = -g
        d[loc] = g
        d[scale] = g * (z - 1)


def halfnorm(logarithmic):
    @elementwise(stats.halfnorm.logpdf if logarithmic else stats.halfnorm.pdf)
    def density(y, x, loc=0, scale=1):
        z = (x - loc) / scale
        g = (np.where(z < 0, 0.0, d[y]) if logarithmic else np.where(y == 0, 0.0, d[y] * y)) / scale
        d[x] = -g * z
        d[loc] = g * z
        d[scale] = g * (z**2 - 1)


def rayleigh(logarithmic):
    @elementwise(stats.rayleigh.logpdf if logarithmic else stats.rayleigh.pdf)
    def density(y, x, loc=0, scale=1):
        z = (x - loc) / scale
        slope = 1 / np.where(z == 0, 1.0, z) - z
        g = (np.where(z > 0, d[y], 0.0) if logarithmic else np.where(y == 0, 0.0, d[y] * y)) / scale
        rise = np.where((z == 0) & (y == 0), d[y] / scale**2, g * slope)
        d[x] = g * slope if logarithmic else rise
        d[loc] = -(g * slope if logarithmic else rise)
        d[scale] = -g * (1 + z * slope)


def gamma(logarithmic):
    @elementwise(stats.gamma.logpdf if logarithmic else stats.gamma.pdf)
    def density(y, x, a, loc=0, scale=1):
        z = (x - loc) / scale
        inside = np.where(z > 0, z, 1.0)
        slope = (a - 1) / inside - 1
        within = (z > 0) | (z == 0) & (a == 1)
        g = np.where(within, d[y], 0.0) if logarithmic else np.where(y == 0, 0.0, d[y] * y)
        edge = np.where(a == 2, 1.0, np.where(a < 2, np.inf, 0.0)) / scale
        begins = (z == 0) & (y == 0)
        rise = np.where(begins, d[y] * edge, g * slope)
        d[x] = (g * slope if logarithmic else rise) / scale
        d[a] = g * (np.log(inside) - special.psi(a))
        d[loc] = -(g * slope if logarithmic else rise) / scale
        d[scale] = -g * (1 + z * slope) / scale


def chi2(logarithmic):
    @elementwise(stats.chi2.logpdf if logarithmic else stats.chi2.pdf)
    def density(y, x, df, loc=0, scale=1):
        z = (x - loc) / scale
        inside = np.where(z > 0, z, 1.0)
        slope = (df / 2 - 1) / inside - 0.5
        within = (z > 0) | (z == 0) & (df == 2)
        g = np.where(within, d[y], 0.0) if logarithmic else np.where(y == 0, 0.0, d[y] * y)
        edge = np.where(df == 4, 0.25, np.where(df < 4, np.inf, 0.0)) / scale
        begins = (z == 0) & (y == 0)
        rise = np.where(begins, d[y] * edge, g * slope)
        d[x] = (g * slope if logarithmic else rise) / scale
        d[df] = g * (np.log(inside / 2) - special.psi(df / 2)) / 2
        d[loc] = -(g * slope if logarithmic else rise) / scale
        d[scale] = -g * (1 + z * slope) / scale


def invgamma(logarithmic):
    @elementwise(stats.invgamma.logpdf if logarithmic else stats.invgamma.pdf)
    def density(y, x, a, loc=0, scale=1):
        z = (x - loc) / scale
        inside = np.where(z > 0, z, 1.0)
        slope = (1 / inside - a - 1) / inside
        finite = (z > 0) & (z < np.inf)
        g = np.where(finite, d[y], 0.0) if logarithmic else np.where(y == 0, 0.0, d[y] * y)
        d[x] = g * slope / scale
        d[a] = -g * (np.log(inside) + special.psi(a))
        d[loc] = -g * slope / scale
        d[scale] = -g * (1 + inside * slope) / scale


def lognorm(logarithmic):
    @elementwise(stats.lognorm.logpdf if logarithmic else stats.lognorm.pdf)
    def density(y, x, s, loc=0, scale=1):
        z = (x - loc) / scale
        inside = np.where(z > 0, z, 1.0)
        slope = -(1 + np.log(inside) / s**2) / inside
        finite = (z > 0) & (z < np.inf)
        g = np.where(finite, d[y], 0.0) if logarithmic else np.where(y == 0, 0.0, d[y] * y)
        d[x] = g * slope / scale
        d[s] = g * ((np.log(inside) / s) ** 2 - 1) / s
        d[loc] = -g * slope / scale
        d[scale] = -g * (1 + inside * slope) / scale


def weibull_min(logarithmic):
    @elementwise(stats.weibull_min.logpdf if logarithmic else stats.weibull_min.pdf)
    def density(y, x, c, loc=0, scale=1):
        z = (x - loc) / scale
        inside = np.where(z > 0, z, 1.0)
        slope = (c - 1 - c * inside**c) / inside
        within = (z > 0) | (z == 0) & (c == 1)
        g = np.where(within, d[y], 0.0) if logarithmic else np.where(y == 0, 0.0, d[y] * y)
        edge = np.where(c == 2, 2.0, np.where(c < 2, np.inf, 0.0)) / scale
        begins = (z == 0) & (y == 0)
        rise = np.where(begins, d[y] * edge, g * slope)
        d[x] = (g * slope if logarithmic else rise) / scale
        d[c] = g * (1 / c + np.log(inside) * (1 - inside**c))
        d[loc] = -(g * slope if logarithmic else rise) / scale
        d[scale] = -g * (1 + z * slope) / scale


def pareto(logarithmic):
    @elementwise(stats.pareto.logpdf if logarithmic else stats.pareto.pdf)
    def density(y, x, b, loc=0, scale=1):
        z = (x - loc) / scale
        inside = np.where(z < 1, 1.0, z)
        g = np.where(z < 1, 0.0, d[y]) if logarithmic else np.where(y == 0, 0.0, d[y] * y)
        d[x] = -g * (b + 1) / (inside * scale)
        d[b] = g * (1 / b - np.log(inside))
        d[loc] = g * (b + 1) / (inside * scale)
        d[scale] = g * b / scale


def f(logarithmic):
    @elementwise(stats.f.logpdf if logarithmic else stats.f.pdf)
    def density(y, x, dfn, dfd, loc=0, scale=1):
        z = (x - loc) / scale
        inside = np.where(z > 0, z, 1.0)
        total = dfd + dfn * np.where(z > 0, z, 0.0)
        slope = (dfn / 2 - 1) / inside - (dfn + dfd) / 2 * dfn / total
        both = special.psi((dfn + dfd) / 2) - np.log(total)
        within = (z > 0) & (z < np.inf) | (z == 0) & (dfn == 2)
        g = np.where(within, d[y], 0.0) if logarithmic else np.where(y == 0, 0.0, d[y] * y)
        edge = np.where(dfn == 4, 4 + 8 / dfd, np.where(dfn < 4, np.inf, 0.0)) / scale
        begins = (z == 0) & (y == 0)
        rise = np.where(begins, d[y] * edge, g * slope)
        d[x] = (g * slope if logarithmic else rise) / scale
        d[dfn] = g * (
            both + np.log(dfn * inside) + 1 - special.psi(dfn / 2) - (dfn + dfd) * z / total
        ) / 2
        d[dfd] = g * (both + np.log(dfd) + 1 - special.psi(dfd / 2) - (dfn + dfd) / total) / 2
        d[loc] = -(g * slope if logarithmic else rise) / scale
        d[scale] = -g * (1 + z * slope) / scale


def invgauss(logarithmic):
    @elementwise(stats.invgauss.logpdf if logarithmic else stats.invgauss.pdf)
    def density(y, x, mu, loc=0, scale=1):
        z = (x - loc) / scale
        inside = np.where(z > 0, z, 1.0)
        slope = -1.5 / inside - (1 / mu**2 - 1 / inside**2) / 2
        g = np.where(z > 0, d[y], 0.0) if logarithmic else np.where(y == 0, 0.0, d[y] * y)
        d[x] = g * slope / scale
        d[mu] = g * (inside - mu) / mu**3
        d[loc] = -g * slope / scale
        d[scale] = -g * (1 + inside * slope) / scale


for template in (expon, halfnorm, rayleigh, gamma, chi2, invgamma, lognorm, weibull_min, pareto):
    template(logarithmic=True)
    template(logarithmic=False)
for template in (f, invgauss):
    template(logarithmic=True)
    template(logarithmic=False)
