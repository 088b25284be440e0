"""Distribution functions with a derivative in their shape, too: that of SciPy has a closed form.

`rate(z, shape)` is the derivative of the distribution function in the shape over the density.
"""

import numpy as np
from autodiff.templates.scipy.special.shapes import gamma_shape, student_shape
from scipy import special, stats

from autodiff.rules import d, elementwise, registry


def of_power(z, shape):
    """`weibull_min`, `pareto`: functions of `z**shape`."""
    inside = np.where((z > 0) & (z < np.inf), z, 1.0)
    return inside * np.log(inside) / shape


def of_width(z, s):
    """`lognorm`: a function of `log(z) / s`."""
    inside = np.where((z > 0) & (z < np.inf), z, 1.0)
    return -inside * np.log(inside) / s


def of_skewness(z, a):
    """`skewnorm`: the derivative of Owen's function."""
    arm = a * np.where(np.isinf(z), 0.0, z)
    return -np.exp(-(arm**2) / 2 - special.log_ndtr(arm)) / ((2 * np.pi) ** 0.5 * (1 + a**2))


def of_mean(z, mu):
    """`invgauss`, in whose two terms the derivatives of the arguments cancel."""
    inside = np.where((z > 0) & (z < np.inf), z, 1.0)
    arm = -(inside / mu + 1) / np.sqrt(inside)
    tail = np.exp(special.log_ndtr(arm) + arm**2 / 2)
    return -((8 * np.pi) ** 0.5) / mu**2 * inside**1.5 * tail


def over_density(slope, density):
    """Outside of the support there is no slope, either."""
    return slope / np.where(density > 0, density, 1.0)


def of_gamma(z, shape):
    inside = np.where((z > 0) & (z < np.inf), z, 1.0)
    return over_density(gamma_shape(shape, inside), stats.gamma.pdf(inside, shape))


def of_inverse_gamma(z, shape):
    inside = np.where((z > 0) & (z < np.inf), z, 1.0)
    return -over_density(gamma_shape(shape, 1 / inside), stats.invgamma.pdf(inside, shape))


def of_chi_square(z, shape):
    inside = np.where((z > 0) & (z < np.inf), z, 1.0)
    return over_density(gamma_shape(shape / 2, inside / 2) / 2, stats.chi2.pdf(inside, shape))


def of_student(z, shape):
    return over_density(student_shape(shape, z), stats.t.pdf(z, shape))


OF_SHAPE = (of_gamma, of_inverse_gamma, of_chi_square, of_student, over_density)
UNDEFINED = (stats.weibull_min, stats.gamma)
"""Distributions whose density is NaN at infinity, for SciPy; it is 0."""
registry.add_making([of_power, of_width, of_skewness, of_mean, *OF_SHAPE])


def of_one_shape(dist, rate):
    tame = dist not in UNDEFINED

    @elementwise(dist.cdf)
    def cdf(y, x, shape, loc=0, scale=1):
        z = (x - loc) / scale
        density = dist.pdf(x, shape, loc, scale)
        slope = d[y] * (density if tame else np.where(np.isinf(z), 0.0, density))
        d[x] = slope
        d[shape] = slope * scale * rate(z, shape)
        d[loc] = -slope
        d[scale] = -np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.sf)
    def sf(y, x, shape, loc=0, scale=1):
        z = (x - loc) / scale
        density = dist.pdf(x, shape, loc, scale)
        slope = d[y] * (density if tame else np.where(np.isinf(z), 0.0, density))
        d[x] = -slope
        d[shape] = -slope * scale * rate(z, shape)
        d[loc] = slope
        d[scale] = np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.logcdf)
    def logcdf(y, x, shape, loc=0, scale=1):
        finite = np.where(np.isneginf(y), np.inf, y)
        ratio = np.exp(dist.logpdf(x, shape, loc, scale) - finite)
        z = (x - loc) / scale
        slope = d[y] * (ratio if tame else np.where(np.isinf(z), 0.0, ratio))
        d[x] = slope
        d[shape] = slope * scale * rate(z, shape)
        d[loc] = -slope
        d[scale] = -np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.logsf)
    def logsf(y, x, shape, loc=0, scale=1):
        finite = np.where(np.isneginf(y), np.inf, y)
        ratio = np.exp(dist.logpdf(x, shape, loc, scale) - finite)
        z = (x - loc) / scale
        slope = d[y] * (ratio if tame else np.where(np.isinf(z), 0.0, ratio))
        d[x] = -slope
        d[shape] = -slope * scale * rate(z, shape)
        d[loc] = slope
        d[scale] = np.where(np.isinf(z), 0.0, slope) * z

    @elementwise(dist.ppf)
    def ppf(x, q, shape, loc=0, scale=1):
        d[q] = d[x] / dist.pdf(x, shape, loc, scale)
        d[shape] = -d[x] * scale * rate((x - loc) / scale, shape)
        d[loc] = d[x]
        d[scale] = d[x] * (x - loc) / scale

    @elementwise(dist.isf)
    def isf(x, q, shape, loc=0, scale=1):
        d[q] = -d[x] / dist.pdf(x, shape, loc, scale)
        d[shape] = -d[x] * scale * rate((x - loc) / scale, shape)
        d[loc] = d[x]
        d[scale] = d[x] * (x - loc) / scale


for distribution, own in (
    (stats.weibull_min, of_power),
    (stats.pareto, of_power),
    (stats.lognorm, of_width),
    (stats.skewnorm, of_skewness),
    (stats.invgauss, of_mean),
    (stats.gamma, of_gamma),
    (stats.invgamma, of_inverse_gamma),
    (stats.chi2, of_chi_square),
    (stats.t, of_student),
):
    of_one_shape(distribution, own)
