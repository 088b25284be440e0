"""What is stored where nothing read it before is there for the reverse sweep
(`dataflow/apart.py`): no tape, and right numbers where it is not so.
"""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad
from tests.core.judge import core_alone, judge

A = np.array([2.5, 0.3, -0.6, 1.1])


def by_columns(x, a):
    m = np.outer(a, a) * 0.1 + np.eye(4) * 3.0
    n = len(m)
    low = np.zeros((n, n))
    for j in range(n):
        low[j, j] = np.sqrt(m[j, j] * x - np.sum(low[j, :j] ** 2))
        for i in range(j + 1, n):
            s = m[i, j]
            for k in range(j):
                s = s - low[i, k] * low[j, k]
            low[i, j] = s / low[j, j]
    return np.sum(low * low * low)


def forward_substitution(x, a):
    y = np.zeros(4)
    for i in range(len(y)):
        y[i] = (a[i] - np.sum(y[:i] ** 2) * 0.1) * x
    return np.sum(y * y)


def back_substitution(x, a):
    y = np.zeros(4)
    for i in reversed(range(len(y))):
        y[i] = (a[i] - np.sum(y[i + 1 :] ** 2) * 0.1) * x
    return np.sum(y * y)


def one_too_many(x, a):
    y = a * x
    for i in range(1, 3):
        y[i] = y[i] * np.sum(y[: i + 1] ** 2) * 0.1
    return np.sum(y * y)


def the_other_way(x, a):
    y = a * x
    for i in reversed(range(1, 4)):
        y[i] = x * np.sum(y[:i] ** 2) * 0.1
    return np.sum(y * y)


def again_in_sweeps(x, a):
    y = a * x
    for _ in range(2):
        for i in range(1, 4):
            y[i] = y[i] * x - np.sum(y[:i] ** 2) * 0.1
    return np.sum(y * y)


def inner_is_not_below(x, a):
    y = a * x
    for j in range(3):
        for k in range(j + 2):
            y[j] = y[j] + y[k] * y[k] * 0.1
    return np.sum(y * y)


def from_the_end(x, a):
    y = a * x
    for i in range(3):
        y[i - 1] = y[i - 1] * np.sum(y[: i - 1] ** 2)
    return np.sum(y * y)


def other_axis(x, a):
    m = np.outer(a, a) * x
    for i in range(3):
        for j in range(3):
            m[i, j] = m[i, j] * m[j, i] * 0.5 + m[i + 1, j] * m[i, j + 1]
    return np.sum(m * m)


def a_bound_that_changes(x, a):
    y = a * x
    n = 1
    for i in range(3):
        y[n] = y[n] * np.sum(y[:n] ** 2) * 0.1
        n = 3 - n
    return np.sum(y * y)


WITHOUT_TAPE = (by_columns, forward_substitution, back_substitution)
OTHERS = (
    *(one_too_many, the_other_way, again_in_sweeps, inner_is_not_below, from_the_end),
    *(other_axis, a_bound_that_changes),
)


@pytest.mark.parametrize("function", WITHOUT_TAPE + OTHERS, ids=lambda f: f.__name__)
def test_what_is_read_again_is_right(function):
    assert judge(function, [(0.7, A)], ("x", "a")).what == "right"


@pytest.mark.parametrize("function", WITHOUT_TAPE, ids=lambda f: f.__name__)
def test_what_is_there_for_good_is_not_kept(function):
    with core_alone():
        text = grad(function, wrt=("x", "a")).source_for(0.7, A)
    assert ".copy()" not in text
    assert "_kept" not in text
    assert "tape" not in text or function is not by_columns
