"""Loops over the elements of one shape that become one loop, and those that must not."""

import numpy as np
import pytest

pytest.importorskip("numba")

from autodiff import grad

X = np.linspace(0.2, 1.3, 7)
M = np.linspace(-1.0, 1.0, 12).reshape(3, 4)


def chained(x):
    u = np.sin(x)
    v = u * x
    w = np.exp(-v)
    return np.sum(w * u)


def shifted(x):
    u = np.sin(x)
    v = u * x
    v[1:] = u[:-1] * x[1:]
    w = v * u
    w[:-1] = v[1:] * w[:-1]
    w[1:] = w[:-1] * u[1:]
    return np.sum(w * w * v)


def same_memory(x):
    u = x * 2.0
    v = u[1:]
    u[:-1] = v * v
    w = v * u[:-1]
    v[:] = w * u[1:]
    return np.sum(u**3) + np.sum(w * v)


def in_turn(x, n):
    u = x * 1.0
    s = 0.0
    for k in range(n):
        w = u * x
        u[1:-1] = w[2:] - w[:-2]
        v = np.tanh(u * w)
        u = v * 0.5 + w
        s += np.sum(v * u) * k
    return s


def longer_than_one(m):
    a = np.tanh(m)
    b = a * m
    c = b / (1.0 + a * a)
    row = c[0] * a[1]
    d = c * row
    d[:, 1:] = d[:, :-1] * b[:, 1:]
    return np.sum(d * c) + np.sum(row)


@pytest.mark.parametrize(
    ("primal", "arguments"),
    [
        (chained, (X,)),
        (shifted, (X,)),
        (same_memory, (X,)),
        (in_turn, (X, 3)),
        (in_turn, (X, 0)),
        (longer_than_one, (M,)),
    ],
)
def test_the_gradient_is_that_of_separate_statements(primal, arguments):
    found = grad(primal, backend="numba")(*arguments)
    np.testing.assert_allclose(found, grad(primal)(*arguments), rtol=1e-12, atol=1e-14)


def test_what_one_loop_fills_and_reads_is_a_number():
    source = grad(chained, backend="numba").source_for(X)
    assert source.count("for i in") == 1
    assert source.count("empty(") == 1
    assert "Forward sweep" not in source


def row_added_to_itself(m, w, i, j):
    a = m.copy()
    a[i, :-1] += w[:-1] * a[j, 1:]
    return np.sum(a**2)


def test_what_is_loaded_is_a_view_in_the_text():
    """Core does not copy an adjoint that it reads before it stores where that was."""
    arguments = M, np.cos(np.arange(4.0)), 1, 1
    native = grad(row_added_to_itself, (0, 1), backend="numba")
    for found, wanted in zip(native(*arguments), grad(row_added_to_itself, (0, 1))(*arguments)):
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
    assert " = a_bar[i, :-1]\n" in native.source
