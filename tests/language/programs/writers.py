"""Functions of NumPy that write into an argument, and those that take functions."""

import numpy as np

from tests.installed import works
from tests.language.corpus import program
from tests.language.data import M23, M33, M34, P3, V3, V5, W3, fixed

TWICE = np.array([0, 1, 0])
MASK = np.array([[True, False, True], [False, False, True]])
WEIGHTS = np.arange(1.0, 7.0).reshape(2, 3)
ORDER = np.array([[2, 0, 1], [0, 2, 1]])


@program([(V3,)], analytic=True)
def put_by_position(x):
    y = np.ones(4) * x[0]
    np.put(y, [1, 2], x[:2] ** 2)
    y.put(3, x[1])
    return np.sum(y**2)


@program([(V3, M23)], analytic=False)
def put_into_matrix(x, m):
    y = m * 2.0
    np.put(y, [5, 0, 2], x)
    np.put(y, [1, 3], x[0])
    return np.sum(y**2 * WEIGHTS)


@program([(V3, M23)], analytic=False)
def put_where_masked(x, m):
    y = m * 2.0
    np.putmask(y, MASK, m**2)
    z = m * 1.0
    np.place(z, MASK, x)
    return np.sum(y**2 * WEIGHTS + y * z)


@program([(M23,), (M23[:1],)], analytic=True)
def put_along_rows(m):
    y = np.zeros((2, 3)) * m[0, 0]
    np.put_along_axis(y, ORDER, m * m, axis=1)
    np.put_along_axis(y, ORDER[:, :1], m[0, 1], 1)
    return np.sum(y**2 * WEIGHTS)


@program([(V3,)], analytic=True)
def diagonal_filled(x):
    y = np.outer(x, x)
    np.fill_diagonal(y, x**2)
    z = np.outer(x, x[:2])
    np.fill_diagonal(z, 3.0)
    return np.sum(y**2) + np.sum(z**2)


@program([(V3, M23)], analytic=False)
def copied_where_masked(x, m):
    y = m * 3.0
    np.copyto(y, x, where=MASK)
    np.copyto(y, m[0, 0], where=~MASK[0])
    return np.sum(y**2 * WEIGHTS)


@program([(V3, W3)], analytic=False)
def divided_where_possible(x, y):
    quotient = np.zeros(3)
    np.divide(x, y - y[0], out=quotient, where=y != y[0])
    root = np.sqrt(x, out=np.zeros(3), where=x > 0)
    return np.sum(quotient**2 + root)


@program([(V3,), (W3,)], analytic=False)
def sorted_in_place(x):
    y = 2.0 * x
    y.sort()
    z = np.stack([x, -x])
    z.sort(axis=0)
    z.partition(1, axis=1)
    return np.sum(y * np.arange(3.0)) + np.sum(z * WEIGHTS)


@program([(V3,)], analytic=False)
def subtracted_at(x):
    y = np.zeros(2)
    np.subtract.at(y, [0, 1, 0], x * x)
    return np.sum(y**2)


def middle(row):
    return row[1] * np.sum(row)


def halves(row):
    return np.array([row[0] * row[1], row[2] ** 2])


@program([(M23,)], analytic=True)
def applied_along_axis(m):
    rows = np.apply_along_axis(middle, 1, m)
    columns = np.apply_along_axis(lambda c: c[0] * c[1], 0, m)
    pairs = np.apply_along_axis(halves, 1, m)
    return np.sum(rows**2) + np.sum(columns**3) + np.sum(pairs * pairs[::-1])


@program([(M23,)], analytic=True)
def applied_over_axes(m):
    total = np.apply_over_axes(np.sum, m * m, [0, 1])
    means = np.apply_over_axes(np.mean, m, (0,))
    return np.sum(total * means**2)


@program([(M23,), (V3,)], analytic=False)
def methods_of_ufuncs(m):
    total = np.add.reduce(m * m) + np.maximum.reduce(m)
    running = np.multiply.accumulate(m) + np.logaddexp.accumulate(m)
    return np.sum(total**2) + np.sum(running**2) + np.sum(np.multiply.outer(m, m).ravel()[:5])


@program([(V3,), (W3,)], analytic=True)
def quotient_alone(x):
    return np.sum(np.polydiv(np.append(x, x[0] * x[1]), x[:2])[0] ** 2)


@program([(V3,), (W3,)], analytic=True)
def remainder_alone(x):
    return np.sum(np.polydiv(np.append(x, x[0] * x[1]), x[:2])[1] ** 2)


@program([(V3,)], analytic=False)
def edges_alone(x):
    return np.sum(np.histogram(x, 4)[1] ** 2) + np.sum(np.histogram(x[:2], [-1.0, 0.0, 1.0])[1])


@program([(W3,)], analytic=False)
def density_alone(x):
    places = np.array([0.1, 0.4, 0.6])
    return np.sum(np.histogram(places, 2, (0.0, 1.0), True, x**2)[0] ** 3)


def bump(t, *, height):
    return height * t * t


@program([(V5, 0.7), (V3, -0.4)], analytic=False)
def pieces_by_functions(x, a):
    y = np.piecewise(x, [x < 0, x > 1], [np.sin, lambda t: t**3 + t, a])
    z = np.piecewise(x, [x < 0.3, (x > 0.4) & (x < 1)], [a, np.multiply, 2.0], x[0])
    return np.sum(y * y) + np.sum(z)


@program([(V5, 0.7), (P3, -0.4)], analytic=False)
def pieces_with_options(x, a):
    of_one = np.piecewise(x, x < 0, [bump, bump], height=a)
    pieces = (np.max, np.cos, a * x[0])  # the first is not called: nothing is as large
    of_many = np.piecewise(x, [x > 100, x > 0.5], pieces)
    return np.sum(of_one * x) + np.sum(of_many**2)


@program([(0.7, 0.3), (-0.7, 0.3)], analytic=False)
def pieces_of_a_number(x, a):
    return np.sum(np.piecewise(x, [x > 0], [np.multiply, lambda t, b: a * b * t**2], 3.0))


@program([(V5, fixed([0.5, -0.2]))], analytic=False)
def numbers_in_a_list_beside_an_array_that_is_filled(x, given):
    scales = [given[0], np.sin, given[1] * x[0]]
    y = np.zeros_like(x)
    y[0] = scales[0]
    y[1:3] = scales[1](x[1:3])
    y[3] = scales[2]
    return np.sum(y**2)


@program([(V5, 0.4)], analytic=False)
def computed_in_another_precision(x, a):
    y = np.add(x, a, dtype=np.longdouble, casting="same_kind", order="K")
    z = np.empty_like(x)
    np.multiply(x, x, out=z, dtype=np.float64)
    w = np.sqrt(x - 4.0, dtype=complex)
    return np.sum(y * z) + np.sum(np.real(w**3) + np.imag(w)) + np.sin(a, dtype=np.float64)


# Before NumPy 2.4 ufuncs do not tell the defaults of their options.
@program([(V5,)], analytic=False, refusable=True)
def options_that_say_nothing(x):
    y = np.sin(x, None, where=True, casting="same_kind", subok=False)
    total = np.sum(np.outer(y, y), 0, None, None, True)
    return np.sum(np.max(total, 1, None, True) * np.mean(y, 0, None, None, True)) + np.sum(y)


if works(lambda: np.clip(M23, min=0.5)):  # since NumPy 2.1

    @program([(M23, 0.3)], analytic=False)
    def clipped_by_name(m, low):
        return np.sum(np.clip(m, min=low, max=0.9) ** 2) + np.sum(np.clip(m, max=low * m[0, 0]))


@program([(M33, M34)], analytic=False)
def products_along_other_axes(a, b):
    c = np.matmul(a, b, axes=[(1, 0), (0, 1), (1, 0)])
    return np.sum(c**2)


@program([(V5, [0.4], {"ddof": 1})], analytic=False)
def starred_arguments_of_library_functions(x, given, options):
    axis = (0,)
    return np.std(x, *axis, **options) * np.hypot(*given, x[0]) + np.sum(x**2, *axis)
