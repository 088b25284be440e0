"""Comprehensions, and `map`, over items that are written out."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import M33, V3, W3


def density(s, t):
    s, t = list(map(np.asanyarray, (s, t)))
    return s * t + t**2


@program([(V3, W3, V3), (0.7, 1.3, 0.2)], analytic=True)
def arrays_of_all(s, t, p):
    s, t, p = list(map(np.asanyarray, (s, t, p)))
    return np.sum(density(s, t) / (1 - p / 10))


@program([(V3, W3)], analytic=True)
def names_swapped(x, y):
    x, y = [v * x for v in (y, x)]
    return np.sum(x * y**2)


@program([(V3, W3)], analytic=True)
def items_that_are_computed(x, y):
    a, b = (np.sin(v) * x for v in (x + y, x * y))
    return np.sum(a * b**2)


def scaled(v, by):
    v *= by
    return np.sum(v)


@program([(V3, W3)], analytic=True)
def items_before_calls(x, y):
    u = x * 1.0
    a, b = [scaled(u, k) for k in (u[0], u[1])]
    return a * b + np.sum(u * y)


@program([(V3, W3)], analytic=True)
def one_inside_of_the_other(x, y):
    rows = [[v * w for w in (x, y)] for v in (x, y)]
    return sum(np.sum(r) for row in rows for r in row) + np.sum(rows[0][1] ** 2)


@program([(V3, M33)], analytic=True)
def handed_on(x, m):
    total = np.sum(np.stack([m @ v for v in (x, 2 * x, x[::-1])]) ** 2)
    return total + max([np.sum(v) for v in (x, -x)])


@program([(0.7, 1.3)], analytic=True)
def the_variable_is_a_name_outside(v, w):
    parts = [v * v for v in (w, 2.0)]
    return parts[0] * v + parts[1]
