"""Helpers that are not inlined, as the text would get too long: called as pairs of functions."""

from types import FunctionType

import numpy as np
import pytest

from autodiff import grad, hessian, jvp, value_and_grad
from tests.reverse import settings


def series(x, weights):
    total = 0.0
    for w in weights:
        total = total * x + w
    return total


def enthalpy(T, P):
    t, p = T / 300.0, P / 1e5
    low = series(t, (0.2, 1.5, 2.0)) + series(p, (0.1, 0.3, 0.7, 1.0)) * t
    return low * np.log(t) + series(p * t, (0.02, 0.01, 0.3))


def newton(residual, x, args, slope=None, steps=8):
    has_slope = slope == True  # noqa: E712 (as SciPy's and fluids' solvers ask for it)
    for _ in range(steps):
        if has_slope:
            value, d = residual(x, *args)
        else:
            value = residual(x, *args)
            d = slope(x, *args)
        x = x - value / d
    return x


def residual_of_T(T, P, H):
    h = 1e-3
    return enthalpy(T, P) - H, (enthalpy(T + h, P) - enthalpy(T - h, P)) / (2.0 * h)


def residual_of_P(P, T, H):
    h = 1.0
    return enthalpy(T, P) - H, (enthalpy(T, P + h) - enthalpy(T, P - h)) / (2.0 * h)


def states(H):
    T = newton(residual_of_T, 320.0, (2e5, H), slope=True)
    P = newton(residual_of_P, 1.5e5, (T + 5.0, 1.1 * H), slope=True)
    return T / 300.0 + P / 1e5


def scale(v, by):
    v[0] = v[0] * by
    return np.sum(v)


def in_place(x):
    v = x * 1.0
    return scale(v, 2.0) * scale(v, 3.0) * scale(v, x[1])


def of_two_lengths(x):
    return series(x, (1.0, 2.0)) + series(x, (1.0, 2.0, 3.0)) + series(x, (1.0, 2.0, 3.0, 4.0))


def scaled_by_setting(x):
    return x * settings.SCALE


def between(x):
    y = scaled_by_setting(x)
    settings.rescale()
    return y * scaled_by_setting(x)


def shifted(u, w):
    return u[1:] * w - u[:-1]


def of_two_ranks(x):
    a = shifted(x, 2.0)
    b = shifted(np.outer(x, x), x)
    return np.sum(shifted(a, x[1:-1])) + np.sum(b * b) + np.sum(shifted(x * x, 3.0))


X = np.array([0.4, 1.2, 0.7, 0.9])


def fresh(function):
    """The function for which nothing was compiled yet."""
    return FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__,
        function.__closure__,
    )  # fmt: skip


def slope(function, x):
    if not np.ndim(x):
        return (function(x + 1e-4) - function(x - 1e-4)) / 2e-4
    return np.array([slope(lambda s, e=e: function(x + s * e), 0.0) for e in np.eye(len(x))])


@pytest.mark.parametrize(
    ("function", "x"),
    [(states, 7.0), (of_two_lengths, 0.7), (in_place, X), (of_two_ranks, X)],
)
def test_the_derivatives_agree(function, x):
    own = fresh(function)
    value, gradient = value_and_grad(own)(x)
    assert value == pytest.approx(function(x))
    np.testing.assert_allclose(gradient, slope(function, x), rtol=1e-5)
    _, tangent = jvp(own, (x,), (np.ones_like(x),))
    assert tangent == pytest.approx(np.sum(gradient))
    if function is not states:
        second = hessian(own)(x)
        np.testing.assert_allclose(second, slope(grad(fresh(function)), x), rtol=1e-5, atol=1e-6)


def test_a_global_that_is_rebound_between_the_calls(monkeypatch):
    monkeypatch.setattr(settings, "SCALE", 1.0)
    assert grad(fresh(between))(1.5) == pytest.approx(6.0)
    assert settings.SCALE == 2.0


"""Derivatives inside that Core alone makes, which these tests do not ask."""
