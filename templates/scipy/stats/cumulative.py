"""Distribution functions, their complements and logarithms, and quantiles.

One template serves all distributions with as many shapes; in the shapes themselves these have no
derivative (others: shapes.py). Where a probability is 0 its logarithm has derivative 0.
"""

import numpy as np
from scipy import stats

from autodiff.rules import d, elementwise

UNDEFINED = (stats.gumbel_r, stats.gumbel_l, stats.gamma, stats.f)
"""Distributions whose density is NaN at infinity, for SciPy; it is 0."""


def of_no_shape(dist):
    tame = dist not in UNDEFINED

    @elementwise(dist.cdf)
    def cdf(y, x, loc=0, scale=1):
        z = (x - loc) / scale
        density = dist.pdf(x, loc, scale)
        slope = d[y] * (density if tame else np.where(np.isinf(z), 0.0, density))
        d[x] = slope
        d[loc] = -slope
        d[scale] = -np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.sf)
    def sf(y, x, loc=0, scale=1):
        z = (x - loc) / scale
        density = dist.pdf(x, loc, scale)
        slope = d[y] * (density if tame else np.where(np.isinf(z), 0.0, density))
        d[x] = -slope
        d[loc] = slope
        d[scale] = np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.logcdf)
    def logcdf(y, x, loc=0, scale=1):
        finite = np.where(np.isneginf(y), np.inf, y)
        ratio = np.exp(dist.logpdf(x, loc, scale) - finite)
        z = (x - loc) / scale
        slope = d[y] * (ratio if tame else np.where(np.isinf(z), 0.0, ratio))
        d[x] = slope
        d[loc] = -slope
        d[scale] = -np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.logsf)
    def logsf(y, x, loc=0, scale=1):
        finite = np.where(np.isneginf(y), np.inf, y)
        ratio = np.exp(dist.logpdf(x, loc, scale) - finite)
        z = (x - loc) / scale
        slope = d[y] * (ratio if tame else np.where(np.isinf(z), 0.0, ratio))
        d[x] = -slope
        d[loc] = slope
        d[scale] = np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.ppf)
    def ppf(x, q, loc=0, scale=1):
        d[q] = d[x] / dist.pdf(x, loc, scale)
        d[loc] = d[x]
        d[scale] = d[x] * (x - loc) / scale

    @elementwise(dist.isf)
    def isf(x, q, loc=0, scale=1):
        d[q] = -d[x] / dist.pdf(x, loc, scale)
        d[loc] = d[x]
        d[scale] = d[x] * (x - loc) / scale


def of_one_shape(dist):
    tame = dist not in UNDEFINED

    @elementwise(dist.cdf)
    def cdf(y, x, shape, loc=0, scale=1):
        z = (x - loc) / scale
        density = dist.pdf(x, shape, loc, scale)
        slope = d[y] * (density if tame else np.where(np.isinf(z), 0.0, density))
        d[x] = slope
        d[loc] = -slope
        d[scale] = -np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.sf)
    def sf(y, x, shape, loc=0, scale=1):
        z = (x - loc) / scale
        density = dist.pdf(x, shape, loc, scale)
        slope = d[y] * (density if tame else np.where(np.isinf(z), 0.0, density))
        d[x] = -slope
        d[loc] = slope
        d[scale] = np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.logcdf)
    def logcdf(y, x, shape, loc=0, scale=1):
        finite = np.where(np.isneginf(y), np.inf, y)
        ratio = np.exp(dist.logpdf(x, shape, loc, scale) - finite)
        z = (x - loc) / scale
        slope = d[y] * (ratio if tame else np.where(np.isinf(z), 0.0, ratio))
        d[x] = slope
        d[loc] = -slope
        d[scale] = -np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.logsf)
    def logsf(y, x, shape, loc=0, scale=1):
        finite = np.where(np.isneginf(y), np.inf, y)
        ratio = np.exp(dist.logpdf(x, shape, loc, scale) - finite)
        z = (x - loc) / scale
        slope = d[y] * (ratio if tame else np.where(np.isinf(z), 0.0, ratio))
        d[x] = -slope
        d[loc] = slope
        d[scale] = np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.ppf)
    def ppf(x, q, shape, loc=0, scale=1):
        d[q] = d[x] / dist.pdf(x, shape, loc, scale)
        d[loc] = d[x]
        d[scale] = d[x] * (x - loc) / scale

    @elementwise(dist.isf)
    def isf(x, q, shape, loc=0, scale=1):
        d[q] = -d[x] / dist.pdf(x, shape, loc, scale)
        d[loc] = d[x]
        d[scale] = d[x] * (x - loc) / scale


def of_two_shapes(dist):
    tame = dist not in UNDEFINED

    @elementwise(dist.cdf)
    def cdf(y, x, first, second, loc=0, scale=1):
        z = (x - loc) / scale
        density = dist.pdf(x, first, second, loc, scale)
        slope = d[y] * (density if tame else np.where(np.isinf(z), 0.0, density))
        d[x] = slope
        d[loc] = -slope
        d[scale] = -np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.sf)
    def sf(y, x, first, second, loc=0, scale=1):
        z = (x - loc) / scale
        density = dist.pdf(x, first, second, loc, scale)
        slope = d[y] * (density if tame else np.where(np.isinf(z), 0.0, density))
        d[x] = -slope
        d[loc] = slope
        d[scale] = np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.logcdf)
    def logcdf(y, x, first, second, loc=0, scale=1):
        finite = np.where(np.isneginf(y), np.inf, y)
        ratio = np.exp(dist.logpdf(x, first, second, loc, scale) - finite)
        z = (x - loc) / scale
        slope = d[y] * (ratio if tame else np.where(np.isinf(z), 0.0, ratio))
        d[x] = slope
        d[loc] = -slope
        d[scale] = -np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.logsf)
    def logsf(y, x, first, second, loc=0, scale=1):
        finite = np.where(np.isneginf(y), np.inf, y)
        ratio = np.exp(dist.logpdf(x, first, second, loc, scale) - finite)
        z = (x - loc) / scale
        slope = d[y] * (ratio if tame else np.where(np.isinf(z), 0.0, ratio))
        d[x] = -slope
        d[loc] = slope
        d[scale] = np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.ppf)
    def ppf(x, q, first, second, loc=0, scale=1):
        d[q] = d[x] / dist.pdf(x, first, second, loc, scale)
        d[loc] = d[x]
        d[scale] = d[x] * (x - loc) / scale

    @elementwise(dist.isf)
    def isf(x, q, first, second, loc=0, scale=1):
        d[q] = -d[x] / dist.pdf(x, first, second, loc, scale)
        d[loc] = d[x]
        d[scale] = d[x] * (x - loc) / scale


SHAPELESS = (
    *(stats.norm, stats.cauchy, stats.laplace, stats.logistic, stats.gumbel_r, stats.gumbel_l),
    *(stats.expon, stats.halfnorm, stats.rayleigh, stats.uniform),
)
OF_ONE_SHAPE = (stats.t, stats.gamma, stats.chi2, stats.invgamma, stats.vonmises)

for distribution in SHAPELESS:
    of_no_shape(distribution)
for distribution in OF_ONE_SHAPE:
    of_one_shape(distribution)
for distribution in (stats.beta, stats.f):
    of_two_shapes(distribution)
