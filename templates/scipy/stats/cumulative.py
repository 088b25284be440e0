"""Distribution functions, their complements and logarithms, and quantiles.

One template serves all distributions with as many shapes. `rate(z, *shapes)` is the derivative of
the distribution function in a shape over the density; `vonmises` has none (others: shapes.py).
Where a probability is 0 its logarithm has derivative 0.
"""

import numpy as np
from autodiff.templates.scipy.special.shapes import beta_other_shape, beta_shape
from scipy import stats

from autodiff.rules import d, elementwise, registry

UNDEFINED = (stats.gumbel_r, stats.gumbel_l, stats.f)
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


def density_or_one(density):
    """Outside of the support there is no slope, either."""
    return np.where(density > 0, density, 1.0)


def of_first(z, a, b):
    inside = np.where((z > 0) & (z < 1), z, 0.5)
    return beta_shape(a, b, inside) / density_or_one(stats.beta.pdf(inside, a, b))


def of_second(z, a, b):
    inside = np.where((z > 0) & (z < 1), z, 0.5)
    return beta_other_shape(a, b, inside) / density_or_one(stats.beta.pdf(inside, a, b))


def of_numerator(z, m, n):
    """With w = m z / (m z + n), which depends on the shape, too."""
    inside = np.where((z > 0) & (z < np.inf), z, 1.0)
    w = m * inside / (m * inside + n)
    density = density_or_one(stats.f.pdf(inside, m, n))
    return beta_shape(m / 2, n / 2, w) / (2 * density) + inside / m


def of_denominator(z, m, n):
    inside = np.where((z > 0) & (z < np.inf), z, 1.0)
    w = m * inside / (m * inside + n)
    density = density_or_one(stats.f.pdf(inside, m, n))
    return beta_other_shape(m / 2, n / 2, w) / (2 * density) - inside / n


beta_rates, fisher_rates = (of_first, of_second), (of_numerator, of_denominator)
registry.add_making([density_or_one, *beta_rates, *fisher_rates])


def of_two_shapes(dist, rate, other_rate):
    tame = dist not in UNDEFINED

    @elementwise(dist.cdf)
    def cdf(y, x, first, second, loc=0, scale=1):
        z = (x - loc) / scale
        density = dist.pdf(x, first, second, loc, scale)
        slope = d[y] * (density if tame else np.where(np.isinf(z), 0.0, density))
        d[x] = slope
        d[first] = slope * scale * rate(z, first, second)
        d[second] = slope * scale * other_rate(z, first, second)
        d[loc] = -slope
        d[scale] = -np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.sf)
    def sf(y, x, first, second, loc=0, scale=1):
        z = (x - loc) / scale
        density = dist.pdf(x, first, second, loc, scale)
        slope = d[y] * (density if tame else np.where(np.isinf(z), 0.0, density))
        d[x] = -slope
        d[first] = -slope * scale * rate(z, first, second)
        d[second] = -slope * scale * other_rate(z, first, second)
        d[loc] = slope
        d[scale] = np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.logcdf)
    def logcdf(y, x, first, second, loc=0, scale=1):
        finite = np.where(np.isneginf(y), np.inf, y)
        ratio = np.exp(dist.logpdf(x, first, second, loc, scale) - finite)
        z = (x - loc) / scale
        slope = d[y] * (ratio if tame else np.where(np.isinf(z), 0.0, ratio))
        d[x] = slope
        d[first] = slope * scale * rate(z, first, second)
        d[second] = slope * scale * other_rate(z, first, second)
        d[loc] = -slope
        d[scale] = -np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.logsf)
    def logsf(y, x, first, second, loc=0, scale=1):
        finite = np.where(np.isneginf(y), np.inf, y)
        ratio = np.exp(dist.logpdf(x, first, second, loc, scale) - finite)
        z = (x - loc) / scale
        slope = d[y] * (ratio if tame else np.where(np.isinf(z), 0.0, ratio))
        d[x] = -slope
        d[first] = -slope * scale * rate(z, first, second)
        d[second] = -slope * scale * other_rate(z, first, second)
        d[loc] = slope
        d[scale] = np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.ppf)
    def ppf(x, q, first, second, loc=0, scale=1):
        z = (x - loc) / scale
        d[q] = d[x] / dist.pdf(x, first, second, loc, scale)
        d[first] = -d[x] * scale * rate(z, first, second)
        d[second] = -d[x] * scale * other_rate(z, first, second)
        d[loc] = d[x]
        d[scale] = d[x] * (x - loc) / scale

    @elementwise(dist.isf)
    def isf(x, q, first, second, loc=0, scale=1):
        z = (x - loc) / scale
        d[q] = -d[x] / dist.pdf(x, first, second, loc, scale)
        d[first] = -d[x] * scale * rate(z, first, second)
        d[second] = -d[x] * scale * other_rate(z, first, second)
        d[loc] = d[x]
        d[scale] = d[x] * (x - loc) / scale


SHAPELESS = (
    *(stats.norm, stats.cauchy, stats.laplace, stats.logistic, stats.gumbel_r, stats.gumbel_l),
    *(stats.expon, stats.halfnorm, stats.rayleigh, stats.uniform),
)
OF_ONE_SHAPE = (stats.vonmises,)

for distribution in SHAPELESS:
    of_no_shape(distribution)
for distribution in OF_ONE_SHAPE:
    of_one_shape(distribution)
for distribution, own in ((stats.beta, beta_rates), (stats.f, fisher_rates)):
    of_two_shapes(distribution, *own)
