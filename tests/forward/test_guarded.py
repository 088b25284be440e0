"""Tangents of what a `try` guards: their own errors reach the caller."""

import math

import numpy as np
import pytest

from autodiff import jvp


def root(x):
    try:
        y = math.sqrt(x * x) * 2.0
    except ZeroDivisionError:
        y = x * 7.0
    return y


def test_an_error_of_the_tangent_alone_is_not_caught():
    assert root(0.0) == 0.0
    assert jvp(root, (-3.0,), (1.0,)) == (6.0, -2.0)
    with pytest.raises(ZeroDivisionError):
        jvp(root, (0.0,), (1.0,))


def branched(x):
    try:
        y = x**1.5 if x > 1.0 else 2.0 * x
        y = y / x
    except ZeroDivisionError:
        y = x
    return y


def stored(x):
    u = np.zeros(2)
    y = 0.0
    try:
        y = x**1.5
        u[0] = x
        z = 1.0 / x
    except ZeroDivisionError:
        z = x
    return y + z + u[0]


def used_after_half_a_body(x):
    y = x
    try:
        y = x**1.5
        z = 1.0 / x
    except ZeroDivisionError:
        z = x
    return y * z


@pytest.mark.followed
@pytest.mark.parametrize("function", [branched, stored, used_after_half_a_body])
def test_what_half_a_body_leaves_behind(function):
    for x in (0.7, 1.9):
        value, tangent = jvp(function, (x,), (1.0,))
        assert value == function(x)
        assert tangent == pytest.approx((function(x + 1e-6) - function(x - 1e-6)) / 2e-6)
    assert jvp(function, (0.0,), (1.0,))[0] == function(0.0)


def checked_root(x, n):
    if x < 0.0:
        raise ValueError(x)
    return np.sqrt(x) if n == 0 else checked_root(x, n - 1)


def a_recursion_that_may_fail(x):
    total = 0.0
    for v in x:
        try:
            total = total + checked_root(v, 1)
        except ValueError:
            total = total - v
    return total


def test_a_recursion_gives_value_and_tangent_at_once():
    x = np.array([0.3, -0.5, 0.2])
    _, tangent = jvp(a_recursion_that_may_fail, (x,), (np.ones(3),))
    np.testing.assert_allclose(tangent, 0.5 / np.sqrt(0.3) - 1.0 + 0.5 / np.sqrt(0.2))
