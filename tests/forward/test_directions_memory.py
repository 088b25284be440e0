"""Memory that is changed in place, with tangents along several directions."""

from __future__ import annotations

import numpy as np
import pytest

from tests.forward.test_directions import compare

X = np.array([0.7, -0.4, 1.3, 0.9])


def kept_before_the_slot_changes(x):
    y = np.zeros(4)
    kept = []
    for i in range(4):
        y[0] = y[0] + x[i] * x[0]
        kept.append(y[0])
    y[0] = 5.0
    return np.array(kept) * y[0], y


def in_a_dict_and_a_tuple(x):
    y = x * 2.0
    held = {"a": y[1]}
    t = y[1]
    y[1] = x[0] ** 2
    return held["a"] * t, y, (t, y[1])


def rows_and_columns(x):
    m = np.outer(x, x)
    row = m[1]
    column = m.T[2]
    m[1, 2] = x[3]
    row[0] = x[1] * column[1]
    column[0] += row[0]
    return m, row * column


def without_axes(x):
    s = np.zeros(())
    s[()] = x[0]
    t = np.asarray(x[1] * x[0])
    u = s + t
    s[...] = 4.0
    return u, s * t, t


def taken_apart(x):
    y = x.copy()
    a, b, c, d = y
    y[0] = 7.0 * b
    return a * b, y, c + d


def listed(x):
    y = x * 1.0
    z = list(y)
    y[0] = z[1] * 2
    z[2] = y[0] + z[0]
    return y, z


def listed_rows(x):
    m = np.outer(x, x)
    rows = list(m)
    rows[0][1] = x[2]
    m[1, 1] = x[0] * 3
    return m, rows[1] * rows[0]


def by_arrays_of_indices(x):
    at = np.array([0, 2, 2])
    y = np.zeros(4)
    np.add.at(y, at, x[:3] ** 2)
    y[at] += x[1:]
    y[[1, 3]] = x[0]
    m = np.outer(x, x)
    return y, m[at, :2], m[:, at], m[at, at], m[0, at], m[x > 0.5], m[m > 0.3], m[None, ..., 1]


def numbers_in_a_list(x):
    s = x[0]
    held = [s] * 3
    held[0] += x[1]
    held[1] *= x[2]
    total = 0.0
    for v in held:
        total += v
    return total, held


def windows_in_a_loop(x):
    u = np.zeros((3, 4))
    for k in range(3):
        r = u[k]
        r += x * k
        r[1:] -= r[:-1] * x[0]
        u[(k + 1) % 3, k] = r.sum()
    return u


def seen_through_a_broadcast(x):
    v = float(x[1])
    y = np.full(3, v)
    y[0] = v * x[0]
    b = np.broadcast_to(y[:, None], (3, 2))
    y[1] = 9.0
    return b * 1.0, y, v


def chosen_then_changed(x):
    y = x * x
    s = y[0] if x[0] > 0.0 else y[1]
    y[0] = 1.0
    y[1] = 1.0
    return s * y


PROGRAMS = (
    *(kept_before_the_slot_changes, in_a_dict_and_a_tuple, rows_and_columns, without_axes),
    *(taken_apart, listed, listed_rows, by_arrays_of_indices, numbers_in_a_list),
    *(windows_in_a_loop, seen_through_a_broadcast, chosen_then_changed),
)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_it_is_one_sweep_with_the_same_numbers(function):
    assert compare(function, (X,), {}, 0) == ""
