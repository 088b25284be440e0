"""Memory without a derivative, joined with what has one: its tangent and shadow are zeros."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad, hessian, jacfwd, jvp
from autodiff.pipeline import assembly, compiler

V = np.array([1.0, 2.0, 3.0])
M = np.array([2.0, 0.5, 1.5])
X = np.array([0.5, 0.2, -0.3])
Y = np.array([1.5, 0.7, 0.3])


@pytest.fixture(autouse=True)
def through_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "CHECKED", True)
    compiler.REASONS.clear()


def outside_in_a_list(x, y):
    z = V
    rows = [z]
    for _ in range(2):
        z = rows[-1] * x + V
        rows.append(z)
    return np.sum(rows[0] * rows[2] * rows[1] * y)


def outside_exchanged(x, y):
    a, b = V, M
    for _ in range(3):
        pair = [a, b]
        a, b = pair[1] * x, pair[0]
    return np.sum(a * b * y)


def outside_on_one_path(x, y):
    a = V if x[0] > 0 else x
    held = {"a": a}
    held["b"] = held["a"] * x
    return np.sum(held["b"] * held["a"] * y)


def argument_exchanged(x, y):
    for _ in range(2):
        pair = [x, y]
        x, y = pair[1] * pair[0], pair[0]
        pair[0] = y
    return np.sum(x * y)


def argument_that_changes(x, y):
    y[0] = x[1]
    for _ in range(2):
        x = x * y
        y, x = x, y
        y[1] = x[0]
    return np.sum(x * y)


def layers(x, y):
    for own in [{"w": x, "b": 1.0}, {"w": x[:1], "b": 2.0}]:
        y = np.tanh(y * own["w"] + own["b"])
    return np.sum(y**2)


PROGRAMS = [
    *(outside_in_a_list, outside_exchanged, outside_on_one_path),
    *(argument_exchanged, argument_that_changes, layers),
]


def differences(function, x):
    return np.array([(function(x + h) - function(x - h)) / 2e-6 for h in np.eye(3) * 1e-6])


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_both_orders(function, sign):
    x, before = sign * X, [V.copy(), M.copy(), Y.copy()]
    slopes = differences(lambda x: function(x.copy(), Y.copy()), x)
    np.testing.assert_allclose(grad(function)(x, Y), slopes, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(jvp(function, (x, Y), (M, None))[1], slopes @ M, rtol=1e-6)
    expected = differences(lambda x: grad(function)(x, Y), x)
    np.testing.assert_allclose(hessian(function)(x, Y), expected, rtol=1e-5, atol=1e-6)
    for own, old in zip((V, M, Y), before, strict=True):
        np.testing.assert_array_equal(own, old)
    assert not compiler.REASONS, compiler.REASONS


def test_rows_of_constants_have_rows_of_zeros():
    def turned(t):
        return np.array(((np.cos(t), -np.sin(t), 0.5), (0, 1, 2j), (1, (2), 3)))

    value, slope = jvp(turned, (0.3,), (2.0,))
    np.testing.assert_array_equal(value, turned(0.3))
    np.testing.assert_allclose(slope[0], [-2 * np.sin(0.3), -2 * np.cos(0.3), 0.0])
    np.testing.assert_array_equal(slope[1:], np.zeros((2, 3)))
    assert not compiler.REASONS, compiler.REASONS


@pytest.mark.parametrize(
    "joined",
    [
        lambda x: np.hstack((1, (2, 3), x)),
        lambda x: np.hstack([1, x, [2, 3]]),
        lambda x: np.hstack([x[0], [2, 3]]),
        lambda x: np.concatenate([x, (1.0, 2.0), range(2)]),
    ],
)
def test_numbers_and_rows_beside_each_other_in_forward_mode(joined):
    value, tangent = jvp(joined, (X,), (Y,))
    np.testing.assert_array_equal(value, joined(X))
    np.testing.assert_allclose(tangent, joined(X + Y) - value, atol=1e-15)  # it is linear
    np.testing.assert_array_equal(jacfwd(joined)(X) @ Y, tangent)
