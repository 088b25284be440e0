"""Derivative rules of scipy.stats: densities and distribution functions.

The rules are those of methods of one object each: `scipy.stats.norm.logpdf`. Densities have a
derivative in all parameters, distribution functions in the argument, location and scale, and in the
shapes for which there is a closed form. Outside of the support, where the density is 0 and its
logarithm -inf, the derivative is 0.
"""

from autodiff.templates.scipy.stats import (
    bounded,
    cumulative,
    discrete,
    kernels,
    likelihoods,
    multivariate,
    positive,
    shapes,
    summaries,
    unbounded,
)

__all__ = [
    "bounded",
    "cumulative",
    "discrete",
    "kernels",
    "likelihoods",
    "multivariate",
    "positive",
    "shapes",
    "summaries",
    "unbounded",
]
