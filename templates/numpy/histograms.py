"""Covariances and histograms."""

import numpy as np

from autodiff.rules import adjoint, d
from autodiff.runtime import (
    corrcoef_adjoint,
    cov_adjoint,
    cov_weights_adjoint,
    ends_adjoint,
    histogram_edges_adjoint,
    histogram_grid_adjoint,
    histogram_weights_adjoint,
)


@adjoint(np.cov)
def cov(
    c, m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None
):
    d[m] = cov_adjoint(d[c], m, y, rowvar, bias, ddof, fweights, aweights)
    d[y] = cov_adjoint(d[c], m, y, rowvar, bias, ddof, fweights, aweights, second=True)
    d[aweights] = cov_weights_adjoint(d[c], m, y, rowvar, bias, ddof, fweights, aweights)


@adjoint(np.corrcoef)
def corrcoef(r, x, y=None, rowvar=True, *, dtype=None):
    d[x] = corrcoef_adjoint(d[r], r, x, y, rowvar)
    d[y] = corrcoef_adjoint(d[r], r, x, y, rowvar, second=True)


@adjoint(np.histogram)
def histogram(y, a, bins=10, range=None, density=None, weights=None):
    """Where the bins follow from the values, their edges move with the least and the greatest."""
    d[a] = (
        ends_adjoint(histogram_edges_adjoint(d[y], y, density), a)
        if range is None and np.ndim(bins) == 0
        else 0.0
    )
    d[bins] = histogram_edges_adjoint(d[y], y, density)
    d[weights] = histogram_weights_adjoint(d[y][0], y, a, weights, density)


@adjoint(np.histogram_bin_edges)
def histogram_bin_edges(y, a, bins=10, range=None, weights=None):
    d[a] = ends_adjoint(d[y], a) if range is None and np.ndim(bins) == 0 else 0.0
    d[bins] = d[y]
    d[weights] = 0.0


@adjoint(np.histogram2d)
def histogram2d(h, x, y, bins=10, range=None, density=None, weights=None):
    d[weights] = histogram_grid_adjoint(d[h][0], h[0], h[1:], (x, y), weights, density)


@adjoint(np.histogramdd)
def histogramdd(h, sample, bins=10, range=None, density=None, weights=None):
    d[weights] = histogram_grid_adjoint(d[h][0], h[0], h[1], sample, weights, density)
