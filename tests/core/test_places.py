"""Stores and updates of places that an index names: masks, integers, several times the same."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad
from autodiff.core.notyet import NotYet
from tests.core.judge import Verdict, core_alone, judge

X = np.array([0.5, 0.7, -1.1, 0.9])
BLOCK = (slice(1, 3), 2)
BOTH = ([1, 1], slice(1, 3))


def places_named_twice(x):
    y = np.zeros(4)
    y[[0, 0, 1, 2]] = x * x
    return np.sum(y * y)


def the_same_place_from_both_ends(x):
    y = x**3
    y[[0, 1, -1, 3]] = x * x
    return np.sum(y * y)


def rows_and_columns_named_twice(x):
    y = np.outer(x, x)
    y[[0, 2, 0]] = x * y[1]
    y[:, [1, 3]] = y[:, [3, 1]] * x[0]
    y[1:, [1, 1]] = y[:3, [3, 2]] * x[0]
    return np.sum(y * y)


def pairs_of_places(x):
    y = np.outer(x, x)
    y[np.array([0, 1, 1, 0]), np.array([2, 3, 3, 1])] = x**2
    y[np.ix_([0, 1], [2, 3])] = x[0] * y[2:, :2]
    return np.sum(y * y)


def updates_of_places_named_twice(x):
    y = x * x
    y[[0, 0, 1, 1]] += x
    y[[0, 0, 1, 1]] *= x
    return np.sum(y * y)


def masks(x):
    y = x * x
    y[y > 0.3] *= x[y > 0.3]
    y[x > 0.6] -= y[x > 0.6] * x[0]
    y[x > 0.8] += x[0]
    return np.sum(y * y)


def mask_read_before_the_right_side_changes(x):
    y = x * x

    def f():
        y[:] = x
        return x[2:]

    y[np.array([0, 3])] += f()
    return np.sum(y * y)


def order_that_changes_in_a_loop(x):
    y = x * x
    idx = np.array([0, 1, 2])
    s = 0.0
    for i in range(4):
        idx[i % 3] = 3 - i
        y[idx] = 0.1 * y[idx] * x[i] + 0.1 * y[idx] ** 2
        y[idx] += x[:3] * y[0]
        s = s + y[i] ** 2
    return s + np.sum(y)


def places_that_are_surely_different(x):
    y = np.zeros(4)
    o = np.argsort(x)
    y[o] = x * x
    y[o] += x
    m = np.zeros((3, 3))
    m[np.tril_indices(2)] = x[1:] * x[0]
    m[np.diag_indices(3)] += x[0] ** 2
    return np.sum(y * x) + np.sum(m**3)


def one_number_for_several_places(x):
    y = x * x
    y[[1, 1, 2]] = x[0] ** 2
    y[x > 0.6] = y[0] * x[1]
    return np.sum(y * y)


def no_place_at_all(x):
    y = x * x
    y[np.array([], dtype=int)] = x[0]
    y[x > 100.0] *= x[1]
    return np.sum(y * y)


def list_of_places_that_changes(x):
    idx = [0, 1]
    b = x * x
    s = 0.0
    for i in range(4):
        y = b[idx]
        s = s + np.sum(y * y)
        idx[i % 2] = i
        b[idx] = y * x[i]
    return np.sum(b**2) + s


def places_of_a_view(x):
    b = np.outer(x, x)
    c = b.T[1:]
    c[[0, 1, 1], [1, 1, 1]] *= x[1:]
    c[c > 0.4] **= 2
    return np.sum(b * b * x)


def tuples_of_outside(x):
    b = np.outer(x, x)
    b[BLOCK] **= 2
    b[BOTH] = b[1:3, 1:3] * x[0]
    b[BOTH] *= x[2]
    return np.sum(b @ x)


def slices_and_tuples_with_names(x):
    b = np.outer(x, x)
    k = (1, slice(None, None, 2))
    b[k] *= x[:2]
    b[:, (0, 0)] = x[0]
    b[(0, 0), :] *= x[1]
    s = np.s_[1:, ::-1]
    b[s] = b[s] * b[np.index_exp[1:]]
    w = slice(1, 3)
    for i in range(2):
        b[i, w] *= b[w, i]
    return np.sum(b @ x)


def tuples_that_are_arrays(x):
    i = (0, 0, 1)
    y = x * x
    y[np.array(i)] = x[:3]
    y[[*i]] += x[:3]
    t = (slice(1, 3),)
    y[t] *= x[slice(2)]
    return np.sum(y * y * x)


def new_axes_with_names(x):
    y = x * x
    sl = (None, slice(2))
    z = y[sl]
    z *= x[None, 1:3]
    z[..., 0] = 3.0 * x[1]
    return np.sum(y * y * x)


def counts(x):
    c = np.zeros(4, dtype=int)
    c[[0, 0, 1]] += 1
    return np.sum(c * x)


def lists_in_windows(x):
    m = np.outer(x, x) * x[0]
    m[0] = [m[1, 0], m[0, 0], x[1], np.where(x[2] > 0.0, x[2], 2.0)]
    m[1] = (m[0, 1] * x[0], m[0, 0], m[2, 2], 1)
    m[2:] = [x, [x[0], 2.0, x[1] ** 2, 0.5]]
    m[3] += [x[0], 1.0, m[0, 0], 2.0]
    m[0, 1:] = [v * x[3] for v in x[1:]]
    return np.sum(m**3)


def lists_by_path(x):
    y = x * 1.0
    z = [x[0], 1.0] if x[1] > 0.5 else [2.0, x[1] ** 2]
    y[:2] = z
    y[y > 0.8] = [x[2] * 3.0]
    return np.sum(y * y)


def lists_in_a_loop(x):
    m = np.zeros((2, 3))
    for k in range(2):
        m[k] = [x[0] * k, x[k], m[0, 0]]
        m[k] *= [m[0, 0], x[1], 1.0]
    return np.sum(m * m)


def axes_of_one_element_in_front(x):
    m = np.zeros((2, 4))
    m[1:] = x[None]
    m[0] = (x * x[0])[None, None]
    m[1, 2:] = x[None, 1:3]
    return np.sum(m**3)


PROGRAMS = [
    value for value in list(globals().values()) if getattr(value, "__module__", "") == __name__
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_right_in_all_modes(program):
    assert judge(program, [(X,), (X[::-1] * 0.6,)], ("x",)) == Verdict("right")


def a_list_in_a_list(x):
    y = x * 1.0
    y[1:] = [[x[0], x[1], 2.0]]
    return np.sum(y)


def given_out_with_an_axis_in_front(x):
    y = x * 1.0
    np.add(x[None], x, out=y)
    return np.sum(y)


@pytest.mark.parametrize("program", [a_list_in_a_list, given_out_with_an_axis_in_front])
def test_axes_that_numpy_refuses(program):
    assert judge(program, [(X,)], ("x",)).what == "unsteady"
    with core_alone(), pytest.raises(NotYet):
        grad(program)(X)
