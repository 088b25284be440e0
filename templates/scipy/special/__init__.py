"""Derivative rules of scipy.special.

A parameter without a line `d[...]` has a derivative that no function of SciPy gives: the order of a
Bessel function, the shape of an incomplete gamma function.
"""

from autodiff.templates.scipy.special import (
    bessel,
    counts,
    elementary,
    elliptic,
    errors,
    gamma,
    harmonics,
    incomplete,
    integrals,
    kolmogorov,
    legendre,
    mathieu,
    noncentral,
    noncentral_ratios,
    polynomials,
    reductions,
    sequences,
    solutions,
    spheroidal,
    zeta,
)

__all__ = [
    "bessel",
    "counts",
    "elementary",
    "elliptic",
    "errors",
    "gamma",
    "harmonics",
    "incomplete",
    "integrals",
    "kolmogorov",
    "legendre",
    "mathieu",
    "noncentral",
    "noncentral_ratios",
    "polynomials",
    "reductions",
    "sequences",
    "solutions",
    "spheroidal",
    "zeta",
]
