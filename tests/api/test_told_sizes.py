"""Sizes that a function tells by taking its arguments apart."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad, hessian, jacobian, jvp


def orbit(state, pull, h, steps):
    for _ in range(steps):
        x, y, vx, vy = state
        r = (x * x + y * y) ** 1.5
        state = state + h * np.array([vx, vy, -pull * x / r, -pull * y / r])
    return np.sum(state**2) + np.mean(state)


STATE = np.array([1.0, 0.2, -0.1, 1.1])


def differences(function, x, step=1e-6):
    units = np.eye(len(x))
    return np.array([(function(x + step * e) - function(x - step * e)) / (2 * step) for e in units])


def test_nothing_is_broadcast() -> None:
    slope = grad(orbit)
    expected = differences(lambda s: orbit(s, 1.3, 0.1, 5), STATE)
    np.testing.assert_allclose(slope(STATE, 1.3, 0.1, 5), expected, rtol=1e-7)
    assert "broadcast" not in slope.source
    assert "unbroadcast" not in grad(orbit, 1).source_for(STATE, 1.3, 0.1, 5)


def test_other_sizes_where_the_loop_does_not_run() -> None:
    slope = grad(orbit)
    slope(STATE, 1.3, 0.1, 5)
    six = np.arange(6.0)
    np.testing.assert_allclose(slope(six, 1.3, 0.1, 0), 2 * six + 1 / 6)
    with pytest.raises(ValueError, match="unpack"):
        slope(six, 1.3, 0.1, 1)
    assert grad(orbit)(six, 1.3, 0.1, 0).shape == (6,)


def test_a_new_derivative_knows_them() -> None:
    """They belong to the function: the second one is compiled once."""
    grad(orbit)(STATE, 1.3, 0.1, 5)
    again = grad(orbit)
    again(STATE, 1.3, 0.1, 5)
    assert "broadcast" not in again.source


def pair(p, q):
    a, b = p
    return a * b * np.sum(q) + np.sum(p * q)


def test_another_argument_of_that_size() -> None:
    p, q = np.array([0.5, 2.0]), np.array([1.5, -1.0])
    found = grad(pair, (0, 1))(p, q)
    np.testing.assert_allclose(found[0], [2.0 * 0.5 + 1.5, 0.5 * 0.5 - 1.0])
    np.testing.assert_allclose(found[1], 1.0 + p)
    long = np.array([1.0])
    np.testing.assert_allclose(grad(pair, (0, 1))(p, long)[1], [1.0 + 2.5])


def test_all_modes() -> None:
    def energy(state):
        return orbit(state, 1.3, 0.1, 3)

    value, slope = jvp(energy, (STATE,), (np.ones(4),))
    np.testing.assert_allclose(slope, np.sum(grad(energy)(STATE)))
    matrix = hessian(energy)(STATE)
    np.testing.assert_allclose(matrix, jacobian(grad(energy))(STATE), rtol=1e-10)
    np.testing.assert_allclose(matrix, matrix.T, rtol=1e-9)
    np.testing.assert_allclose(matrix @ np.ones(4), differences(grad(energy), STATE).sum(0), 1e-6)


def nested(weights, x):
    (a, b), (c, d) = weights
    first, *rest = x
    return a * d - b * c + first * sum(rest)


def test_nested_and_starred() -> None:
    weights, x = np.array([[1.0, 2.0], [3.0, 4.5]]), np.arange(1.0, 6.0)
    found = grad(nested, (0, 1))(weights, x)
    np.testing.assert_allclose(found[0], [[4.5, -3.0], [-2.0, 1.0]])
    np.testing.assert_allclose(found[1], [14.0, 1.0, 1.0, 1.0, 1.0])
