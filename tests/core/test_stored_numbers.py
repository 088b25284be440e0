"""A number that sits in memory is read back from there only if memory gives back that number."""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.differences import check

X = np.array([0.7, -0.43, 0.37, 0.81])


def kept_as_history(x, history):
    s = 0.0
    for i in range(3):
        y = np.exp(x[i])
        history[i] = y
        s = s * 0.5 + y * y
    return s


def counted_in_a_branch(x, n):
    y = 0.0
    if x[0] > 0:
        y = np.exp(x[0])
        n[0] = y
    return n[0] * x[1] + y * y


def filled_by_list(x, m):
    if x[0] > 0:
        m[[0, 2]] = np.tanh(x[1])
    return np.sum(m) * x[0]


def filled_by_mask(x, m):
    if x[0] > 0:
        m[m == 0] = np.exp(np.sum(x))
    return np.sum(m)


def filled_by_slice(x, m):
    if x[0] > 0:
        m[1:] = np.tanh(np.sum(x))
    return np.sum(m) * x[2]


def filled(x, m):
    if x[0] > 0:
        m.fill(np.tanh(np.sum(x)))
    return np.sum(m)


def rows_of_numbers(x, m):
    for i in range(2):
        y = np.exp(x[i])
        m[i] = y
        x = y * x
    return np.sum(x)


@pytest.mark.parametrize("dtype", [float, np.float32, np.float16, int, complex])
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_dtypes(monkeypatch, dtype):
    check(monkeypatch, kept_as_history, X, np.zeros(4, dtype))


@pytest.mark.parametrize("dtype", [float, int])  # what others round is no smooth function of x
def test_what_is_read_back_by_the_user(monkeypatch, dtype):
    check(monkeypatch, counted_in_a_branch, X, np.zeros(4, dtype))


@pytest.mark.parametrize(
    "function", [filled_by_list, filled_by_mask, filled_by_slice, filled, rows_of_numbers]
)
@pytest.mark.parametrize("shape", [(4,), (4, 4)])
def test_several_places(monkeypatch, function, shape):
    check(monkeypatch, function, X, np.zeros(shape))


def test_a_number_in_its_place_is_not_kept_twice(monkeypatch):
    assert "tape" not in check(monkeypatch, kept_as_history, X, np.zeros(4))


def shrinking(x):
    n, a = 4, x * 1
    while n > 1:
        n //= 2
        a = a[:n] * 1
        a[0] *= n * a[-1]
    return a[0]


def growing(x):
    a = x * 1
    for k in range(2):
        a = np.append(a, a[k] * 2)
        a[0] *= a[-1]
    return a[0] * a[-1]


@pytest.mark.parametrize("function", [shrinking, growing])
def test_arrays_of_another_size_in_each_iteration(monkeypatch, function):
    check(monkeypatch, function, X)
