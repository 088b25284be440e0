"""Adjoints of covariances and histograms."""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff.runtime.broadcasting import conj
from autodiff.runtime.extrema import winners
from autodiff.runtime.scans import undiff


def _observed(m: Any, y: Any, rowvar: bool) -> Any:
    """Variables by rows, as `np.cov` stacks them."""
    if y is None:
        return _rows(m, rowvar)
    return np.concatenate([_rows(m, rowvar), _rows(y, rowvar)])


def _rows(x: Any, rowvar: bool) -> Any:
    x = np.atleast_2d(x)
    return x if rowvar or np.shape(x)[0] == 1 else np.transpose(x)


def cov_adjoint(
    g: Any,
    m: Any,
    y: Any,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
    second: bool = False,
) -> Any:
    """The adjoint of `m` or, if `second`, of `y`, when `g` is that of `np.cov(m, y, ...)`."""
    x = _observed(m, y, rowvar)
    less = (0 if bias else 1) if ddof is None else ddof
    weights = np.ones(x.shape[1], np.real(x).dtype)
    counts = weights if fweights is None else np.asarray(fweights)
    weights = weights * counts if aweights is None else counts * np.asarray(aweights)
    total = np.sum(weights)
    scale = total - less
    if aweights is not None and less != 0:
        scale = total - less * np.sum(weights * np.asarray(aweights)) / total
    deviation = x - np.sum(x * weights, axis=1, keepdims=True) / total
    g = np.reshape(g, (len(x), len(x)))
    whole = (g + conj(g).T) @ (deviation * weights) / scale
    return _returned(whole, m, y, rowvar, second)


def cov_weights_adjoint(
    g: Any, m: Any, y: Any, rowvar: bool, bias: bool, ddof: int | None, fweights: Any, aweights: Any
) -> Any:
    """The adjoint of `aweights` when `g` is that of `np.cov(m, y, ...)`.

    The mean is where the weighted deviations cancel, so its change adds nothing.
    """
    x = _observed(m, y, rowvar)
    less = (0 if bias else 1) if ddof is None else ddof
    counts = np.ones(np.shape(x)[1]) if fweights is None else np.asarray(fweights)
    own = np.asarray(aweights)
    weights = counts * own
    total, squares = np.sum(weights), np.sum(weights * own)
    scale = total - less * squares / total
    slope = 1 - less * (2 * own / total - squares / total**2)  # that of the scale, for each count
    deviation = x - np.sum(x * weights, axis=1, keepdims=True) / total
    g = np.reshape(g, (len(x), len(x)))
    each = np.real(np.sum(conj(deviation) * (g @ deviation), axis=0))
    return counts * (each - slope * np.sum(weights * each) / scale) / scale


def variables(x: Any, rowvar: bool) -> int:
    """How many variables `np.cov` sees in `x`."""
    rows, columns = np.shape(np.atleast_2d(x))
    return int(rows if rowvar or rows == 1 else columns)


def _returned(whole: Any, m: Any, y: Any, rowvar: bool, second: bool) -> Any:
    like = y if second else m
    count = variables(m, rowvar)
    part = whole[count:] if second else whole[:count]
    turned = not rowvar and np.atleast_2d(like).shape[0] != 1
    return np.reshape(np.transpose(part) if turned else part, np.shape(like))


def corrcoef_adjoint(
    g: Any, r: Any, x: Any, y: Any, rowvar: bool = True, second: bool = False
) -> Any:
    """The adjoint of `x` or, if `second`, of `y`, when `g` is that of `r = np.corrcoef(x, y)`."""
    variance = np.atleast_1d(np.real(np.diag(np.atleast_2d(np.cov(x, y, rowvar)))))
    g, r = np.atleast_2d(g), np.atleast_2d(r)
    deviation = np.sqrt(variance)
    inner = g / np.outer(deviation, deviation)
    product = np.real(conj(g) * r)
    pull = np.sum(product, axis=0) + np.sum(product, axis=1)
    k = np.arange(len(g))
    inner[k, k] -= pull / (2 * variance)
    return cov_adjoint(inner, x, y, rowvar, second=second)


def counts_adjoint(g: Any, hist: Any, widths: Any, total: Any, density: Any) -> Any:
    """The adjoint of the counts of a histogram of bins of these widths (or areas)."""
    if not density:
        return g
    return g / conj(total * widths) - np.sum(g * conj(hist)) / conj(total)


def histogram_weights_adjoint(g: Any, y: Any, a: Any, weights: Any, density: Any) -> Any:
    """The adjoint of the weights when `g` is that of the bins of `y = np.histogram(a, ...)`."""
    hist, edges = y
    inside = _inside(a, edges)
    total = np.sum(np.where(inside, weights, 0))
    each = counts_adjoint(g, hist, np.diff(edges), total, density)
    return np.where(inside, each[_bins(a, edges)], 0)


def histogram_edges_adjoint(g: Any, y: Any, density: Any) -> Any:
    """The adjoint of the edges of a histogram: of a density the widths of the bins matter."""
    if not density:
        return g[1]
    hist, edges = y
    return g[1] + undiff(-g[0] * hist / np.diff(edges), 1, 0)


def ends_adjoint(g: Any, a: Any) -> Any:
    """The adjoint of `a`, between whose least and greatest element the edges lie evenly."""
    t = np.linspace(0, 1, len(g), dtype=g.dtype)
    low, high = np.sum(g * (1 - t)), np.sum(g * t)
    return low * winners(a, np.min(a)) + high * winners(a, np.max(a))


def _inside(a: Any, edges: Any) -> Any:
    return (np.asarray(a) >= edges[0]) & (np.asarray(a) <= edges[-1])


def _bins(a: Any, edges: Any) -> Any:
    return np.searchsorted(edges[1:-1], a, side="right")


def histogram_grid_adjoint(
    g: Any, hist: Any, edges: Any, sample: Any, weights: Any, density: Any
) -> Any:
    """The adjoint of the weights of a histogram over several dimensions."""
    columns = list(np.asarray(sample).T) if not isinstance(sample, tuple) else list(sample)
    inside = np.all([_inside(a, e) for a, e in zip(columns, edges)], axis=0)
    areas: Any = 1.0
    for k, e in enumerate(edges):
        shape = [1] * len(edges)
        shape[k] = len(e) - 1
        areas = areas * np.reshape(np.diff(e), shape)
    total = np.sum(np.where(inside, weights, 0))
    each = counts_adjoint(g, hist, areas, total, density)
    return np.where(inside, each[tuple(_bins(a, e) for a, e in zip(columns, edges))], 0)
