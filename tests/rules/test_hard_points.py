"""The table of `docs/hard-points.md`, row by row, through the compiler."""

import cmath
import math
import re

import numpy as np
import pytest
from scipy import special, stats
from scipy.spatial import distance

from autodiff import grad, hvp, jvp

INF, NAN = np.inf, np.nan
Z3 = np.zeros(3)
ZEROS = np.zeros((2, 3))


def mask_after_root(x):
    return np.sum(np.where(x > 0, np.sqrt(x), 0.0))


def mask_after_log(x):
    return np.sum(np.where(x > 0, x * np.log(x) ** 2, 0.0))


def mask_after_quotient(x):
    return np.sum(np.where(x != 0, np.sin(x) / x, 1.0))


def mask_after_power(x):
    return np.sum(np.where(x > 0, x**0.3, -x))


def mask_after_norm_by_hand(x):
    squares = np.sum(x**2, axis=1)
    return np.sum(np.where(squares > 0, np.sqrt(squares), 0.0))


def distances(p):
    return np.sqrt(np.sum((p[:, None, :] - p[None, :, :]) ** 2, axis=-1))


def lower_distances(p):
    return np.sum(np.tril((distances(p) - 1.0) ** 2, -1))


def upper_roots(x):
    return np.sum(np.triu(np.sqrt(x), 1))


def replaced_logs(x):
    y = np.log(x)
    y[x <= 0] = 0.0
    return np.sum(y)


def replaced_infinities(x):
    y = np.exp(x)
    y[np.isinf(y)] = 0.0
    return np.sum(y**2)


def replaced_quotients(x):
    y = np.sin(x) / x
    np.copyto(y, 1.0, where=x == 0)
    return np.sum(y**2)


def replaced_by_others(x):
    y = np.sqrt(x)
    bad = ~(x > 0)
    y[bad] = -x[bad]
    return np.sum(y)


def missing_data(x):
    residuals = x * np.array([NAN, 3.0])
    np.putmask(residuals, np.isnan(residuals), 0.0)
    return np.sum(residuals**2)


def rows_of_length_one(p):
    lengths = np.linalg.norm(p, axis=1)
    rows = p / lengths[:, None]
    rows[lengths == 0] = 0.0
    return np.sum(rows * np.arange(2.0))


def inverse_distances(x):
    inverse = 1 / np.abs(x[:, None] - x)
    np.fill_diagonal(inverse, 0.0)
    return np.sum(inverse)


def replaced_where_found(x):
    y = 1 / x
    y[np.nonzero(x == 0)] = 0.0
    return np.sum(y**2)


def replaced_in_rows(x):
    y = 1 / x
    y[[1]] = 0.0
    return np.sum(y)


def selected(x):
    return np.sum(np.select([x > 1, x > 0], [x**2, np.log(x)]))


def selected_of_two(x):
    return np.select(choicelist=(np.sqrt(x),), condlist=(x > 0,), default=1.0).sum()


def log_sum_exp(x):
    return np.logaddexp.reduce(x)


def log_sum_exp_by_hand(x):
    largest = np.max(x)
    return largest + np.log(np.sum(np.exp(x - largest)))


# By the first column of the table: function of one argument, argument, gradient.
CASES = {
    "`abs`, `norm`, `hypot` at 0": [
        (lambda x: np.sum(np.abs(x)), Z3, Z3),
        (lambda x: np.sum(np.abs(x)), np.zeros(2, complex), np.zeros(2, complex)),
        (lambda x: abs(x), 0.0, 0.0),
        (lambda x: np.linalg.norm(x), Z3, Z3),
        (lambda x: np.linalg.norm(x, 1), Z3, Z3),
        (lambda x: np.linalg.norm(x, np.inf), Z3, Z3),
        (lambda x: np.linalg.norm(x, -1), np.array([0.0, 1.0, 2.0]), Z3),
        (lambda x: np.sum(np.linalg.norm(x, axis=1)), np.zeros((2, 3)), np.zeros((2, 3))),
        (lambda x: np.sum(np.hypot(x, 2 * x)), Z3, Z3),
        (lambda x: np.hypot.reduce(x), Z3, Z3),
        (lambda x: math.hypot(x, x), 0.0, 0.0),
        (lambda x: math.dist([x, x], [0.0, 0.0]), 0.0, 0.0),
    ],
    "`std` of a constant": [
        (lambda x: np.std(x), np.ones(3), Z3),
        (lambda x: x.std(ddof=1), np.ones(3), Z3),
        (lambda x: np.sum(np.std(x, axis=0)), np.ones((3, 2)), np.zeros((3, 2))),
        (lambda x: np.nanstd(x), np.array([1.0, NAN, 1.0]), Z3),
        (lambda x: np.std(x), np.ones(1), np.zeros(1)),
        (lambda x: np.var(x), np.ones(3), Z3),
    ],
    "distances of equal points; `canberra`, `jensenshannon` where both have a zero": [
        (lambda x: np.sum(distance.cdist(x, np.ones((1, 3)))), np.ones((2, 3)), ZEROS),
        (lambda x: np.sum(distance.pdist(x)), np.ones((2, 3)), ZEROS),
        (lambda x: np.sum(distance.pdist(x, "canberra")), ZEROS, ZEROS),
        (lambda x: np.sum(distance.pdist(x, "jensenshannon")), np.eye(1, 3).repeat(2, 0), ZEROS),
        (lambda x: distance.canberra(x, np.array([0.0, 1.0])), np.array([0.0, 3.0]), [0.0, 0.125]),
        (lambda x: distance.jensenshannon(x, np.eye(3)[0]), np.eye(3)[0], Z3),
        (lambda x: np.sum(distance.euclidean(x, x) + distance.cosine(x, x)), np.ones(3), Z3),
        (lambda x: np.sum(special.kl_div(x, x)), np.array([0.0, 1.0]), [0.0, 0.0]),
    ],
    "`sqrt`, `cbrt`, `log` at 0, `arccos`, `arcsin`, `arctanh` at 1": [
        (lambda x: np.sum(np.sqrt(x)), np.zeros(1), [INF]),
        (lambda x: np.sum(np.cbrt(x)), np.zeros(1), [INF]),
        (lambda x: np.sum(np.log(x)), np.zeros(1), [INF]),
        (lambda x: np.sum(x**0.5), np.zeros(1), [INF]),
        (lambda x: np.sum(np.arccos(x)), np.array([1.0, -1.0]), [-INF, -INF]),
        (lambda x: np.sum(np.arcsin(x)), np.array([1.0, -1.0]), [INF, INF]),
        (lambda x: np.sum(np.arctanh(x)), np.array([1.0]), [INF]),
        (lambda x: np.sum(np.arccosh(x)), np.array([1.0]), [INF]),
    ],
    "`tril`, `triu` that leave such a point out": [
        (lower_distances, np.array([[0.0, 0.0], [3.0, 4.0]]), [[-4.8, -6.4], [4.8, 6.4]]),
        (upper_roots, np.array([[0.0, 4.0], [0.0, 0.0]]), [[0.0, 0.25], [0.0, 0.0]]),
    ],
    "`where` that leaves such a point, or NaN, out": [
        (mask_after_root, np.array([0.0, 4.0, -1.0]), [0.0, 0.25, 0.0]),
        (mask_after_log, np.array([0.0, 1.0, -1.0]), [0.0, 0.0, 0.0]),
        (mask_after_quotient, np.array([0.0, np.pi]), [0.0, -1 / np.pi]),
        (mask_after_power, np.array([0.0, 1.0, -2.0]), [-1.0, 0.3, -1.0]),
        (selected, np.array([0.0, 0.5, 3.0]), [0.0, 2.0, 6.0]),
        (selected_of_two, np.array([-1.0, 0.0, 4.0]), [0.0, 0.0, 0.25]),
        (mask_after_norm_by_hand, np.array([[0.0, 0.0], [3.0, 4.0]]), [[0.0, 0.0], [0.6, 0.8]]),
        (lambda x: np.sum(np.where(x > 1, x, NAN * x)), np.array([2.0, 0.0]), [1.0, NAN]),
        (lambda x: np.sum(np.where(np.isnan(x), 0.0, x**2)), np.array([NAN, 3.0]), [0.0, 6.0]),
        (lambda x: np.nansum(x**2), np.array([NAN, 3.0]), [0.0, 6.0]),
        (lambda x: np.nansum(x), np.array([NAN, 3.0]), [0.0, 1.0]),
        (lambda x: np.nanmax(x), np.array([NAN, 3.0]), [0.0, 1.0]),
        (lambda x: np.sum(np.nan_to_num(x)), np.array([NAN, INF, 1.0]), [0.0, 0.0, 1.0]),
        (lambda x: np.sum(x, where=x > 0), np.array([NAN, 3.0]), [0.0, 1.0]),
    ],
    "`y[mask] = 0.0`, `np.fill_diagonal` ... that replace such a point, or NaN": [
        (replaced_logs, np.array([0.0, 4.0, -1.0]), [0.0, 0.25, 0.0]),
        (replaced_logs, np.array([0.0, 4.0], np.float32), [0.0, 0.25]),
        (replaced_infinities, np.array([0.0, 1e3]), [2.0, 0.0]),
        (replaced_quotients, np.array([0.0, np.pi / 2]), [0.0, -16 / np.pi**3]),
        (replaced_by_others, np.array([0.0, 4.0, -3.0]), [-1.0, 0.25, -1.0]),
        (missing_data, np.array([2.0, 2.0]), [0.0, 36.0]),
        (inverse_distances, np.array([0.0, 1.0, 3.0]), [20 / 9, -1.5, -13 / 18]),
        (replaced_where_found, np.array([0.0, 2.0]), [0.0, -0.25]),
        (replaced_in_rows, np.array([[2.0, 1.0], [0.0, NAN]]), [[-0.25, -1.0], [0.0, 0.0]]),
        (rows_of_length_one, np.array([[0.0, 0.0], [3.0, 4.0]]), [[0.0, 0.0], [-0.096, 0.072]]),
    ],
    "`sinc(0)`": [
        (lambda x: np.sum(np.sinc(x)), np.zeros(2), [0.0, 0.0]),
        (lambda x: np.sinc(x), 0.0, 0.0),
    ],
    "`prod`, `cumprod` with zeros": [
        (lambda x: np.prod(x), np.array([0.0, 2.0, 3.0]), [6.0, 0.0, 0.0]),
        (lambda x: np.prod(x), np.array([0.0, 2.0, 0.0]), [0.0, 0.0, 0.0]),
        (lambda x: np.sum(np.cumprod(x)), np.array([2.0, 0.0, 3.0]), [1.0, 8.0, 0.0]),
        (lambda x: np.multiply.reduce(x), np.array([0.0, 2.0, 3.0]), [6.0, 0.0, 0.0]),
        (lambda x: np.sum(np.multiply.accumulate(x)), np.array([2.0, 0.0, 3.0]), [1.0, 8.0, 0.0]),
        (lambda x: np.nanprod(x), np.array([0.0, NAN, 3.0]), [3.0, 0.0, 0.0]),
        (lambda x: math.prod([x[0], x[1]]), np.array([0.0, 3.0]), [3.0, 0.0]),
    ],
    "`x**0` in x, `0**y` in y": [
        (lambda x: np.sum(x**0), np.array([0.0, 2.0]), [0.0, 0.0]),
        (lambda x: np.sum(x**0.0), np.array([0.0, 2.0]), [0.0, 0.0]),
        (lambda x: np.sum(np.power(x, np.array([0, 1, 2]))), Z3, [0.0, 1.0, 0.0]),
        (lambda y: np.sum(0.0**y), np.array([1.0, 2.0]), [0.0, 0.0]),
        (lambda y: np.sum(np.zeros(2) ** y), np.array([1.0, 2.0]), [0.0, 0.0]),
        (lambda x: x**0, 0.0, 0.0),
        (lambda y: 0.0**y, 2.0, 0.0),
    ],
    "`logaddexp`, its `reduce`, where all is -inf": [
        (log_sum_exp, np.array([-INF, -INF]), [0.0, 0.0]),
        (log_sum_exp, np.array([-INF, 0.0]), [0.0, 1.0]),
        (lambda x: np.sum(np.logaddexp(x, -INF)), np.array([-INF, 0.0]), [0.0, 1.0]),
        (lambda x: np.logaddexp2.reduce(x), np.array([-INF, -INF]), [0.0, 0.0]),
        (log_sum_exp_by_hand, np.array([-INF, 0.0]), [0.0, 1.0]),
    ],
    "ties of `max`, `min`, `maximum`, `fmax`, `ptp` ...": [
        (lambda x: np.max(x), np.array([1.0, 3.0, 3.0]), [0.0, 0.5, 0.5]),
        (lambda x: np.min(x), np.array([1.0, 1.0, 3.0]), [0.5, 0.5, 0.0]),
        (lambda x: np.sum(np.max(x, axis=1)), np.ones((1, 4)), np.full((1, 4), 0.25)),
        (lambda x: np.sum(np.maximum(x, 1.0)), np.array([1.0, 2.0]), [0.5, 1.0]),
        (lambda x: np.sum(np.minimum(x, x)), np.ones(2), [1.0, 1.0]),
        (lambda x: np.maximum.reduce(x), np.ones(2), [0.5, 0.5]),
        (lambda x: np.sum(np.maximum.accumulate(x)), np.ones(2), [1.5, 0.5]),
        (lambda x: np.ptp(x), np.ones(2), [0.0, 0.0]),
        (lambda x: max(x, 1.0), 1.0, 0.5),
        (lambda x: np.max(x, initial=1.0), np.ones(2), [0.5, 0.5]),
    ],
    "ties of `sort`, `median`, `quantile`, `unique`": [
        (lambda x: np.sum(np.sort(x) * np.arange(3.0)), np.ones(3), [0.0, 1.0, 2.0]),
        (lambda x: np.median(x), np.ones(3), [0.0, 1.0, 0.0]),
        (lambda x: np.median(x), np.ones(4), [0.0, 0.5, 0.5, 0.0]),
        (lambda x: np.quantile(x, 0.25), np.ones(3), [0.5, 0.5, 0.0]),
        (lambda x: np.sum(np.unique(x)), np.ones(3), [1.0, 0.0, 0.0]),
    ],
    "`clip` at its bounds": [
        (lambda x: np.sum(np.clip(x, 0.0, 1.0)), np.array([0.0, 1.0, 2.0]), [1.0, 1.0, 0.0]),
        (lambda x: x.clip(0.0, 1.0).sum(), np.array([-1.0, 0.0, 0.5]), [0.0, 1.0, 1.0]),
    ],
    "empty arrays, reductions of nothing": [
        (lambda x: np.sum(x**2), np.zeros(0), np.zeros(0)),
        (lambda x: np.sum(np.sum(x * 2.0, axis=0)), np.zeros((0, 3)), np.zeros((0, 3))),
        (lambda x: np.sum(np.prod(x, axis=1)), np.zeros((2, 0)), np.zeros((2, 0))),
        (lambda x: np.prod(x), np.zeros(0), np.zeros(0)),
        (lambda x: np.max(x, initial=0.0), np.zeros(0), np.zeros(0)),
        (lambda x: np.sum(np.cumsum(x)), np.zeros(0), np.zeros(0)),
        (lambda x: np.sum(np.concatenate([x, x])), np.zeros(0), np.zeros(0)),
        (lambda x: np.sum(np.sort(x)), np.zeros(0), np.zeros(0)),
        (lambda x: np.sum(x @ x.T), np.zeros((2, 0)), np.zeros((2, 0))),
        (lambda x: np.linalg.norm(x), np.zeros(0), np.zeros(0)),
        (lambda x: np.sum(np.diff(x)), np.zeros(1), np.zeros(1)),
    ],
    "equal eigenvalues or singular values": [
        (lambda x: np.sum(np.linalg.eigh(x)[1] ** 2), np.eye(3), np.zeros((3, 3))),
        (lambda x: np.sum(np.linalg.eigvalsh(x)), np.eye(3), np.eye(3)),
        (lambda x: np.sum(np.linalg.svd(x)[1]), np.eye(3), np.eye(3)),
    ],
    "`det` of a singular matrix": [
        (lambda x: np.linalg.det(x), np.diag([1.0, 0.0]), np.diag([0.0, 1.0])),
    ],
    "`scipy.stats` where the support ends": [
        (lambda x: np.sum(stats.expon.logpdf(x)), np.array([0.0, -1.0]), [-1.0, 0.0]),
        (lambda x: np.sum(stats.gamma.logpdf(x, 1.0)), np.array([0.0, -1.0]), [-1.0, 0.0]),
        (lambda s: stats.gamma.pdf(0.0, 1.0, 0.0, s), 2.0, -0.25),
        (lambda s: stats.chi2.pdf(0.0, 2.0, 0.0, s), 2.0, -0.125),
        (lambda s: stats.chi2.logpdf(0.0, 2.0, 0.0, s), 2.0, -0.5),
        (lambda s: stats.beta.logpdf(0.0, 1.0, 2.0, 0.0, s), 2.0, -0.5),
        (lambda s: stats.weibull_min.pdf(0.0, 1.0, 0.0, s), 2.0, -0.25),
        (lambda x: np.sum(stats.f.pdf(x, 2.0, 3.0)), np.array([0.0, -1.0]), [-5 / 3, 0.0]),
        (lambda x: np.sum(stats.beta.pdf(x, 1.0, 3.0)), np.array([0.0, 1.5]), [-6.0, 0.0]),
        (lambda x: np.sum(stats.beta.logpdf(x, 3.0, 1.0)), np.array([1.0]), [2.0]),
        (lambda x: np.sum(stats.rayleigh.pdf(x, 0.0, 2.0)), np.array([0.0, -1.0]), [0.25, 0.0]),
        (lambda x: np.sum(stats.gamma.pdf(x, [1.0, 2.0, 3.0])), Z3, [-1.0, 1.0, 0.0]),
        (lambda x: np.sum(stats.chi2.pdf(x, [2.0, 4.0, 6.0])), Z3, [-0.25, 0.25, 0.0]),
        (lambda x: np.sum(stats.weibull_min.pdf(x, [1.0, 2.0, 3.0])), Z3, [-1.0, 2.0, 0.0]),
        (lambda loc: stats.f.pdf(0.0, 4.0, 3.0, loc), 0.0, -20 / 3),
        (lambda x: np.sum(stats.beta.pdf(x, 2.0, 2.0)), np.array([0.0, 1.0, 2.0]), [6, -6, 0]),
        (lambda s: stats.beta.pdf(2.0, 3.0, 2.0, 0.0, s), 2.0, 3.0),
        (lambda x: np.sum(stats.expon.logcdf(x)), np.array([0.0, -1.0]), [0.0, 0.0]),
        (lambda x: np.sum(stats.rayleigh.logpdf(x)), np.array([0.0, -1.0]), [0.0, 0.0]),
        (lambda p: stats.bernoulli.pmf(1, p), 1.0, 1.0),
        (lambda p: np.sum(stats.binom.logpmf([0, 4], 4, p)), np.array([0.0, 1.0]), [-4.0, 4.0]),
    ],
    "`nansum`, `nanmax`, `nanmedian`, `nanquantile` ...": [
        (lambda x: np.nansum(x), np.array([NAN, 3.0]), [0.0, 1.0]),
        (lambda x: np.nanmin(x), np.array([NAN, 3.0, 2.0]), [0.0, 0.0, 1.0]),
        (lambda x: np.nanmedian(x), np.array([NAN, 3.0, 2.0, 5.0]), [0.0, 1.0, 0.0, 0.0]),
        (lambda x: np.nanquantile(x, 0.25), np.array([NAN, 3.0, 2.0]), [0.0, 0.25, 0.75]),
    ],
    "infinite arguments": [
        (lambda x: np.sum(stats.norm.pdf(x)), np.array([INF, -INF]), [0.0, 0.0]),
        (lambda s: np.sum(stats.norm.cdf(np.array([INF, -INF]), 0.0, s)), 2.0, 0.0),
        (lambda s: stats.norm.logcdf(INF, 0.0, s), 2.0, 0.0),
        (lambda x: np.sum(stats.gumbel_r.pdf(x)), np.array([-1000.0, INF]), [0.0, 0.0]),
        (lambda x: np.sum(stats.cauchy.logpdf(x)), np.array([INF, -INF]), [0.0, 0.0]),
        (lambda x: np.sum(np.exp(x)), np.array([-INF]), [0.0]),
        (lambda x: np.sum(np.tanh(x)), np.array([INF, -INF]), [0.0, 0.0]),
        (lambda x: np.sum(np.arctan(x)), np.array([INF, -INF]), [0.0, 0.0]),
        (lambda x: np.sum(np.log(x)), np.array([INF]), [0.0]),
        (lambda x: np.sum(np.sqrt(x)), np.array([INF]), [0.0]),
        (lambda x: np.sum(1.0 / x), np.array([INF, -INF]), [0.0, 0.0]),
        (lambda x: np.sum(1.0 / (1.0 + np.exp(-x))), np.array([INF]), [0.0]),
        (lambda x: np.max(x), np.array([INF, 1.0]), [1.0, 0.0]),
        (lambda x: np.sum(np.clip(x, 0.0, 1.0)), np.array([INF, -INF]), [0.0, 0.0]),
        (lambda x: np.sum(stats.gamma.cdf(x, 1.5)), np.array([INF, -INF]), [0.0, 0.0]),
        (lambda s: stats.weibull_min.sf(INF, 1.5, 0.0, s), 2.0, 0.0),
        (lambda x: np.sum(stats.gumbel_r.cdf(x)), np.array([INF, -INF]), [0.0, 0.0]),
    ],
}
# Rows with tests of their own, beside those of linear algebra.
ELSEWHERE = (
    *("a phase of complex eigenvectors, a basis of a null space", "`pinv`, `lstsq`"),
    *("`gaussian_gradient_magnitude`, `standard_deviation` where all is flat",),
    *("`map_coordinates` at a knot of order 0 or 1",),
    *("ties of `scipy.ndimage`'s rank filters, `minimum`, `maximum` of labels",),
)
"""Rows that others test: `test_images.py` those of images."""
ROWS = [(row, k) for row, cases in CASES.items() for k in range(len(cases))]


@pytest.mark.parametrize(("row", "number"), ROWS, ids=[f"{row} {k}" for row, k in ROWS])
def test_row(row, number):
    function, argument, expected = CASES[row][number]
    with np.errstate(all="ignore"):
        found = grad(function)(argument)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15)
    assert np.shape(found) == np.shape(argument)
    assert np.asarray(found).dtype == np.asarray(argument).dtype


@pytest.mark.parametrize(("row", "number"), ROWS, ids=[f"{row} {k}" for row, k in ROWS])
def test_row_forward(row, number):
    function, argument, expected = CASES[row][number]
    with np.errstate(all="ignore"):
        tangent = jvp(function, (argument,), (np.ones_like(argument),))[1]
    total = np.sum(np.real(expected))
    np.testing.assert_allclose(tangent, total, rtol=1e-12, atol=1e-15)


ROOTS = "`sqrt`, `cbrt`, `log` at 0, `arccos`, `arcsin`, `arctanh` at 1"
NO_SECOND = {(ROOTS, k): INF for k in range(8)} | {(ROOTS, 1): NAN}
NO_SECOND |= {("infinite arguments", 7): NAN}
"""Second derivatives that are infinite; that of `cbrt` at 0 has no sign. Of `arctan` at infinity it
is a quotient of infinities."""


@pytest.mark.parametrize(("row", "number"), ROWS, ids=[f"{row} {k}" for row, k in ROWS])
def test_row_to_second_order(row, number):
    function, argument, _ = CASES[row][number]
    if np.iscomplexobj(argument):
        pytest.skip("of real numbers only")
    ones = np.ones_like(argument) if isinstance(argument, np.ndarray) else 1.0
    with np.errstate(all="ignore"):
        found = hvp(function)(argument, ones)
    assert np.shape(found) == np.shape(argument)
    if (row, number) in NO_SECOND:
        np.testing.assert_array_equal(np.abs(found), NO_SECOND[row, number])
    else:
        assert np.all(np.isfinite(found)), found


def test_the_page_has_the_rows(root):
    text = (root / "docs/hard-points.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.*?) \|", text, re.MULTILINE)[1:]
    assert set(rows) == {*CASES, *ELSEWHERE}


def on_the_side(x, y):
    """Of numbers and of arrays, on one side of a cut."""
    z = complex(x, y)
    z = np.arcsin(z) - 2.0 * np.arccos(z) + cmath.asin(z) * np.sum(np.arccos(np.array([z, z])))
    z = z * np.arcsinh(complex(y, x))
    return z.real + 3.0 * z.imag


@pytest.mark.parametrize("x", [1.5, -1.5])
@pytest.mark.parametrize("y", [0.0, -0.0])
def test_the_sign_of_zero_says_on_which_side_of_a_cut_a_number_is(x: float, y: float) -> None:
    value = on_the_side(x + 1e-6, y), on_the_side(x - 1e-6, y)
    expected = (value[0] - value[1]) / 2e-6
    np.testing.assert_allclose(grad(on_the_side)(x, y), expected, rtol=1e-6)
    np.testing.assert_allclose(jvp(on_the_side, (x, y), (1.0, 0.0))[1], expected, rtol=1e-6)
