"""Densities by kernels, in terms of NumPy: `gaussian_kde` is in Python over compiled loops."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import math

import numpy as np
from scipy import linalg, special
from scipy.stats import _kde

from autodiff.rules import registry
from autodiff.rules.taking import add_recipes


def logarithms(points, xi, factor):
    """Of the kernels: a row for each place, a column for each point."""
    own = linalg.solve_triangular(factor, points.T, lower=True)
    at = linalg.solve_triangular(factor, xi.T, lower=True)
    away = np.sum((at[:, :, None] - own[:, None, :]) ** 2, axis=0)
    scale = len(factor) / 2 * math.log(2 * math.pi) + np.sum(np.log(np.diag(factor)))
    return -away / 2 - scale


def gaussian_kernel_estimate(points, values, xi, factor, dtype, _=0):
    return np.exp(logarithms(points, xi, factor)) @ values


def gaussian_kernel_estimate_log(points, values, xi, factor, dtype, _=0):
    own = logarithms(points, xi, factor)[:, :, None] + np.log(values)
    return special.logsumexp(own, axis=1)


registry.add_written(
    {
        getattr(_kde, own.__name__)[kind]: own
        for own in (gaussian_kernel_estimate, gaussian_kernel_estimate_log)
        for kind in ("float", "double")
    }
)
add_recipes(__name__)
