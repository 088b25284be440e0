"""Stores between parts of one array: right, or an error where NumPy's order decides the result."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad
from tests.core.judge import Verdict, core_alone, judge

A = np.array([[0.7, -1.3, 0.4], [1.1, 0.6, -0.8], [0.3, 0.9, 1.4]])
V = np.array([0.7, -1.3, 0.4, 1.1, 0.6, -0.8, 0.3, 0.9])


def symmetric_from_below(x):
    m = x.copy()
    for i in range(3):
        m[i, i + 1 :] = m[i + 1 :, i]
    return np.sum(m**3)


def column_that_is_a_row(x):
    m = x.copy()
    row = m[1]
    m.T[1] = row
    return np.sum(m**3)


def every_other_to_the_front(x):
    y = x * x
    y[:4] = y[::2]
    return np.sum(y**2 * x)


def odd_places_to_even_ones(x):
    y = x * x
    y[::2] = y[1::2]
    y[::-1] = y
    return np.sum(y**2 * x)


def helper_that_stores(x):
    def put(row, values):
        row[...] = values

    m = x.copy()
    put(m[2], m[:, 2])
    return np.sum(m**3)


def diagonal_to_a_row(x):
    m = x.copy()
    flat = m.ravel()
    m[0] = flat[::4]
    return np.sum(m**3)


def masked_from_a_part_of_itself(x):
    y = x * x
    y[y > 0.5] = y[:4]
    return np.sum(y * x)


def masked_from_itself(x):
    y = x * x
    k = y > 0.5
    y[k] = y[k] * y[k]
    y[k] = y[k]
    return np.sum(y * x)


def reads_what_was_written(x):
    y = x * x
    a, b = y[::2], y[:4]
    a[...] = b
    return np.sum(y * x)


def copied_where_masked(x):
    y = x * x
    np.copyto(y[1:], y[:-1], where=y[1:] > 0.5)
    z = x * y
    np.copyto(y[2:], z[2:], where=y[2:] > 0.5)
    return np.sum(y * x)


def rows_swapped(x):
    y = x * x
    y[:4], y[4:] = y[4:], y[:4]
    m = np.outer(y, x)
    m[0], m[1] = m[1], m[0]
    m[:, 0], m[:, 1] = m[:, 1].copy(), m[:, 0].copy()
    m[1, 1:3] = m[2:4, 1]
    return np.sum(y**2 * x) + np.sum(m * m * x)


def arrays_of_a_list(x):
    rows = [x * x, x + 1.0]
    for r in rows:
        r[:4] = r[::2]
    rows[0][1:5] = rows[1][::2]
    return np.sum(rows[0] * rows[1])


OF_MATRICES = [
    *(symmetric_from_below, column_that_is_a_row, helper_that_stores, diagonal_to_a_row),
]
OF_ROWS = [
    *(every_other_to_the_front, odd_places_to_even_ones, masked_from_itself),
    *(copied_where_masked, rows_swapped, arrays_of_a_list),
]


@pytest.mark.parametrize("program", [*OF_MATRICES, *OF_ROWS], ids=lambda p: p.__name__)
def test_right_in_all_modes(program):
    point = A if program in OF_MATRICES else V
    assert judge(program, [(point,)], ("x",)) == Verdict("right")


def test_the_order_of_copying_is_not_guessed():
    with core_alone(), pytest.raises(ValueError, match="depends on the order"):
        grad(reads_what_was_written)(V)


def test_a_mask_that_takes_from_a_part_of_its_array_is_not_taken_yet():
    assert judge(masked_from_a_part_of_itself, [(V,)], ("x",)).what == "not yet"
