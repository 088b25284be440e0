"""Calls of NumPy that a derivative once got wrong, or refused, for what their arguments say."""

import numpy as np
from scipy import signal, stats

from tests.language.corpus import program
from tests.language.data import M23, M33, V3

trapezoid = getattr(np, "trapezoid", None) or np.trapz  # NumPy 1


@program([(M33,)], refusable=True)
def diagonal_as_a_view_by_subscripts(x):
    z = x * 1.0
    y = np.einsum(z, [0, 0], [0])
    y[...] = 2.0 * y
    return np.sum(z**3)


@program([(M33,)], refusable=True)
def transpose_as_a_view_by_named_subscripts(x):
    first, second = [0, 1], [1, 0]
    z = x * 1.0
    y = np.einsum(z, first, second)
    y[0, 1] = 2.0 * y[0, 2]
    return np.sum(z**3)


@program([(M23,)], analytic=True)
def products_by_lists_of_subscripts(x):
    y = np.einsum(x, [0, 1], x**2, [0, 2], [1, 2])
    return np.sum(y**2) + np.einsum(x, [0, 1], x, [0, 1]) + np.sum(np.einsum(x, [..., 3]) ** 3)


@program([(M33,), (M23,)])
def matrices_along_the_last_axis(x):
    y = np.apply_along_axis(lambda r: np.outer(r, r), -1, x)
    return np.sum(y * np.cos(np.arange(y.size)).reshape(y.shape))


@program([(M33,), (M23,)])
def vectors_along_the_first_axis(x):
    y = np.apply_along_axis(lambda r: np.cumsum(r) ** 2, -2, x)
    return np.sum(y**2 * np.cos(np.arange(y.size)).reshape(y.shape))


@program([(V3,)])
def directions_of_complex_numbers(x):
    z = x + 1j * x[::-1] ** 2
    return np.sum(np.real(np.sign(z) * (1 - 2j)))


@program([(V3, M23)])
def quantiles_of_numbers_with_gaps_at_computed_levels(x, a):
    y = np.where(a > 1.2, np.nan, a)
    return np.sum(np.nanquantile(y, x**2 / 2, axis=1) ** 2)


@program([(M33,)])
def stacked_with_a_row_of_itself(x):
    return np.sum(np.vstack([x, x[0]]) ** 3)


@program([(M33,)])
def convolved_with_a_part_of_itself(x):
    return np.sum(signal.fftconvolve(x, x[:2, :2] ** 2, mode="same") ** 2)


@program([(M33,)])
def average_by_weights_of_its_own(x):
    y = np.average(x, 0, x[:, 0] ** 2 + 1)
    return np.sum(y**2) + np.sum(trapezoid(x, x[0] ** 3) ** 2)


@program([(V3,)])
def densities_where_the_support_begins(x):
    total = stats.gamma.logpdf(0.0, 1.0, 0.0, x[0] ** 2 + 1)
    total = total + stats.chi2.pdf(0.0, 2.0, 0.0, x[1] ** 2 + 1)
    total = total + stats.weibull_min.logpdf(0.0, 1.0, 0.0, x[2] ** 2 + 1)
    total = total + stats.f.pdf(0.0, 2.0, 5.0, 0.0, x[0] ** 2 + 1)
    return total + stats.beta.logpdf(0.0, 1.0, 2.0, 0.0, x[1] ** 2 + 1)


@program([(M33,)])
def slopes_between_points_of_two_lists(x):
    each = np.gradient(x, [0.0, 1.0, 2.5], [0.0, 1.0, 2.2], edge_order=2)
    return np.sum(each[1] ** 2)


@program([(M33,)], refusable=True)
def polynomial_that_is_made_inside(x):
    return np.sum(np.polyval(np.poly1d([1.0, 2.0, 3.0]), x) ** 2)
