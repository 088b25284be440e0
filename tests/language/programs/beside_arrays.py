"""What stands beside an array and is none: lists that broadcast, None, numbers and flags."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import M23, V4

WEIGHTS = [0.5, -1.5, 2.0]
PARTS = 2


@program([(M23,)], analytic=True)
def matrix_times_list(a):
    return np.sum(a * [1.0, 2.0, 3.0] * np.cos(np.arange(6.0)).reshape(2, 3))


@program([(M23,)], analytic=True)
def list_times_matrix(a):
    return np.sum((WEIGHTS * a + (1.0, 2.0, 3.0)) ** 2)


@program([(M23,)], analytic=True)
def column_and_list_of_lists(a):
    return np.sum((a[:, :1] - [[1.0, 2.0, 3.0, 4.0]]) ** 3)


@program([(M23,)])
def ufuncs_of_a_matrix_and_a_list(a):
    first = np.maximum(a, [0.1, -0.2, 0.4]) * np.hypot(WEIGHTS, a)
    second = np.where(a > 0, a, WEIGHTS) ** 2
    return np.sum(first * np.sin(np.arange(6.0)).reshape(2, 3)) + np.sum(second)


@program([(V4,)], analytic=True)
def one_element_and_a_list(x):
    return np.sum(x[:1] * [1.0, 2.0, 3.0] * np.arange(3.0))


@program([(M23,)])
def clipped_on_one_side(a):
    low = np.clip(a, None, 0.4) * np.arange(3.0)
    high = a.clip(-0.3, None) * np.arange(1.0, 4.0)
    by_list = np.clip(a, None, [0.1, 0.5, 0.9]) * np.arange(6.0).reshape(2, 3)
    return np.sum(low) + np.sum(high) + np.sum(by_list)


@program([(V4, 1), (V4, 2), (V4, 4)], wrt=0, analytic=True)
def parts_counted_by_an_argument(x, n):
    total = 0.0
    for k, part in enumerate(np.split(x, n)):
        total += (k + 1) * np.sum(part**2)
    return total


@program([(V4,)], analytic=True)
def parts_counted_by_a_global(x):
    return sum((k + 1) * np.sum(part**2) for k, part in enumerate(np.split(x, PARTS)))


@program([(M23, True), (M23, False)], wrt=0, analytic=True)
def axes_kept_by_a_flag(a, kept):
    total = a.sum(axis=0, keepdims=kept)
    return np.sum(total**2 * np.arange(3.0)) + np.sum(np.mean(a, axis=0, keepdims=kept) * a)


@program([(M23,)], analytic=True)
def list_that_an_array_is_added_to(a):
    total = [0.0, 1.0, 2.0]
    held = {"rows": [[a[0, 0], 2.0, a[1, 1]], [1.0, 2.0]]}
    for row in a:
        total += row * row
    held["rows"][0] += a[0]
    held["rows"][1] += [a[0, 1], a[0, 2]]
    shown = np.sum(held["rows"][0] ** 2) + held["rows"][1][3] ** 2
    return np.sum(total**2) + shown
