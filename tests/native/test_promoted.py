"""What a loop adds to one element is summed in a number, where nothing reads the array."""

import numpy as np
import pytest

pytest.importorskip("numba")

from autodiff import grad

X = np.linspace(0.2, 1.3, 5)
M = np.linspace(-1.0, 1.0, 15).reshape(5, 3)


def pairs(x, m):
    s = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            if i != j:
                d = x[i] - x[j]
                e = m[i, 2] * m[j, 0]
                s += d * d * e
    return s


def between(x, m):
    s = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            s += x[i] * x[j] * m[i, 1]
            if x[j] > 0.9:
                s -= m[i, 0] * x[j]
                for k in range(3):
                    s += m[j, k] * x[i] ** 2
    return s


def nobody(x, m):
    """The index is no element's where the loop has no iteration, or none that reads it."""
    s = x[0]
    for i in range(len(x) + 3):
        for j in range(len(x) - i):
            s += x[i] * m[j, 0]
        for j in range(3):
            if i < 5:
                s += m[i, 1] * m[j, 2] * x[j]
    return s


def read_again(x, m):
    """The adjoint of an element is read while the loop adds to it."""
    y = x * 1.0
    s = 0.0
    for i in range(1, len(x)):
        for j in range(3):
            y[0] = y[0] * m[i, j] + x[i]
            y[i] += y[0] * x[0]
            s += y[i] * y[0]
    return s + y[0]


def same_memory(x, m):
    y = x * 2.0
    v = y[1:]
    s = 0.0
    for i in range(len(v)):
        for j in range(3):
            v[j] = v[j] * y[i] * m[i, j]
            s += v[i] * y[j]
    return s


def left_early(x, m):
    s = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            if x[j] * m[j, 0] > 0.1:
                break
            s += x[i] * x[j] * m[i, 0]
    return s


def whole(x, m):
    s = 0.0
    for _ in range(3):
        for j in range(5):
            s += s * x[2] * m[j, 1] - m[0, 0] * x[j]
    return s


ALL = [pairs, between, nobody, read_again, same_memory, left_early, whole]


@pytest.mark.parametrize("function", ALL, ids=lambda f: f.__name__)
@pytest.mark.parametrize("options", [{}, {"boundscheck": True}], ids=str)
def test_the_same_gradient(function, options):
    native = grad(function, (0, 1), backend="numba", **options)
    for one, other in zip(native(X, M), grad(function, (0, 1))(X, M)):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)


def test_sums_are_numbers():
    native = grad(pairs, (0, 1), backend="numba")
    native(X, M)
    assert "x_bar_i += " in native.source
    assert "if added:" in native.source
