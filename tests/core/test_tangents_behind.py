"""Tangents that may raise what a `try` of the function catches are computed behind it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from autodiff import hessian, jacfwd, jvp
from tests.language.programs import caught_powers


def power(x, y):
    try:
        z = abs(x) ** y
        w = math.sqrt(z) / y
    except ZeroDivisionError:
        w = x * y
    return w * w + x


def memory(x, y):
    v = np.array([x, y])
    try:
        v[0] = math.log(x * y)
        u = v * 2.0
        w = 1.0 / y
    except (ValueError, ZeroDivisionError):
        u = v * 3.0
        w = y
    return u[0] * u[1] * w


def nested(x, y):
    try:
        try:
            a = 1.0 / x
            b = math.sqrt(a)
        except ValueError:
            b = 1.0 - x * 3.0
        c = b**y
    except ArithmeticError:
        c = y
    return c * x


def repeated(x, y):
    for k in range(3):
        try:
            x = math.log(x) + y
        except ValueError:
            x = x * x + k
    return x


POINTS = [(0.7, 1.3), (1.9, -0.4), (-0.6, 0.8)]
FUNCTIONS = [power, pytest.param(memory, marks=pytest.mark.followed), nested, repeated]


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda own: own.__name__)
def test_agrees_with_differences(function, point):
    def slopes(own):
        return [
            (own(*np.add(point, e)) - own(*np.subtract(point, e))) / 2e-6 for e in 1e-6 * np.eye(2)
        ]

    value, tangent = jvp(function, point, (1.0, 0.5))
    assert value == function(*point)
    np.testing.assert_allclose(tangent, np.dot(slopes(function), (1.0, 0.5)), rtol=1e-6)
    np.testing.assert_allclose(jacfwd(function, (0, 1))(*point), slopes(function), rtol=1e-6)


@pytest.mark.parametrize("function", [power, nested, repeated], ids=lambda own: own.__name__)
def test_second_derivatives(function):
    x, y = POINTS[0]
    step = 1e-5
    second = (function(x + step, y) - 2 * function(x, y) + function(x - step, y)) / step**2
    assert hessian(function)(x, y) == pytest.approx(second, rel=1e-3)


def test_it_is_computed_where_nothing_was_raised():
    text = jacfwd(caught_powers.several_steps).source_for(2.0, 1.5)
    body, _, rest = text.partition("except")
    assert "_dot = " not in body and "if not raised:" in rest


def test_an_error_of_the_tangent_is_not_one_of_the_function():
    def at_zero(x):
        try:
            return abs(x) ** 0.5
        except ZeroDivisionError:
            return -1.0

    with pytest.raises(ZeroDivisionError):
        jvp(at_zero, (0.0,), (1.0,))
