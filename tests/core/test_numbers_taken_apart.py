"""Tuples of numbers that a function gives: their adjoints are not changed in place."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad
from autodiff.derivatives.derivative import Derivative

X = np.array([0.37, -1.26, 0.88, 1.91, -0.54])


@pytest.mark.skipif(not hasattr(np, "unstack"), reason="NumPy 2.1 and newer")
def test_numbers_of_a_row():
    def parts(a):
        return np.unstack(a)

    def value(a):
        y = parts(a)
        return np.sum(0.3 * y[0]) + np.sum(0.5 * y[1]) + np.sum(0.7 * y[2])

    np.testing.assert_allclose(grad(value)(np.arange(1.0, 4.0)), [0.3, 0.5, 0.7])


def full_buffer(x):
    buffer, total = [0.0, 1.0, 2.0, x[0]], 0.0
    for v in x:
        buffer.insert(0, v)
        if len(buffer) > 3:
            buffer.pop()
        total += np.dot(np.array(buffer[:3]), [1.0, 2.0, 3.0]) * buffer[-1]
    return total


def test_one_of_two_arrays_of_which_one_is_not_known_to_be_one():
    """Its adjoint went into the memory of the one that is known (a wrong second derivative)."""
    first, seed = grad(full_buffer), np.arange(1.0, 6.0)
    found = Derivative(grad(full_buffer), "vjp", ("x",))(X)[1](seed)[0]
    steps = 1e-6 * np.eye(5)
    expected = [(first(X + e) @ seed - first(X - e) @ seed) / 2e-6 for e in steps]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
