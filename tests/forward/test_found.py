"""Tangents that were wrong once, against differences."""

import numpy as np
import pytest

from autodiff import grad, hessian, jvp

GAPS = np.array([[1.0, 2.0, -1.0], [0.5, np.nan, 3.0]])


def variance(x):
    return np.nanvar(x, axis=1, mean=np.nanmean(x, axis=1, keepdims=True))


def deviation(x):
    return np.nanstd(x, axis=1, mean=np.nanmean(x, axis=1, keepdims=True))


def polynomial(roots):
    return np.poly(roots)


@pytest.mark.parametrize(
    ("function", "x"),
    [
        (variance, GAPS),
        (deviation, GAPS),
        (polynomial, np.array([1.0 + 1j, 2.0 - 1j, 0.5])),
        (polynomial, np.array([1.0, 2.0, 0.5])),
    ],
)
def test_tangent_agrees_with_differences(function, x):
    along = np.cos(np.arange(x.size)).reshape(x.shape)
    step = 1e-6 * along
    slope = (function(x + step) - function(x - step)) / 2e-6
    np.testing.assert_allclose(jvp(function, (x,), (along,))[1], slope, rtol=1e-7, atol=1e-8)


def trajectory(p):
    y = p * 2
    states = [y]
    for _ in range(3):
        y = y + 0.1 * np.array([y[1], y[0] ** 2])
        states.append(y)
    return np.sum(np.array(states) ** 2)


def test_hessian_of_states_kept_in_a_list():
    """Their adjoints are rows of an array: their kinds have to be known."""
    p, step = np.array([1.0, 0.5]), 1e-6 * np.eye(2)
    slope = [(grad(trajectory)(p + e) - grad(trajectory)(p - e)) / 2e-6 for e in step]
    np.testing.assert_allclose(hessian(trajectory)(p), slope, rtol=1e-7)
