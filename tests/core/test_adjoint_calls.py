"""Recursion to second and third order: adjoints of a call by a call (reversal/pulled.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import grad, hessian, hvp
from autodiff.pipeline import assembly, compiler

X = np.array([0.3, -0.7, 0.9])
V = np.array([0.4, 1.1, -0.6])
CLOSE = {"rtol": 1e-5, "atol": 1e-6}


@pytest.fixture(autouse=True)
def through_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "CHECKED", True)
    compiler.REASONS.clear()


def power(x, n):
    return 1.0 if n == 0 else x * power(x, n - 1)


def of_numbers(x, k, n):
    return power(x[0] * k, n) * power(x[1], n + 1)


def of_two_arguments(x, k, n):
    def mixed(y, c, m):
        if m == 0:
            return np.sin(y) * c
        return c * mixed(y * c, c, m - 1) + y

    return np.sum(mixed(x, k, n) * mixed(x[::-1], k * k, n))


def changes_what_it_makes(x, k, n):
    def smoothed(u, m):
        if m == 0:
            return u[::-1] * k
        y = u * u
        y[1:] *= u[:-1]
        z = smoothed(y, m - 1)
        z[0] = y[2] * k
        return z + np.sin(u)

    return np.sum(smoothed(x, n) ** 2)


def called_in_a_loop(x, k, n):
    s, y = 0.0, x * 1.0
    for _ in range(n):
        z = tree(y, k + s, n)
        y[0] = z[1] * k
        s = s + np.sum(z * y)
    return s + np.sum(y)


def tree(u, k, n):
    if n == 0:
        return np.where(u > 0.2, u * u, k * u)
    left = tree(u[::-1] * k, k, n - 1)
    if k > 0.5:
        return left * tree(np.sin(u), k * 0.9, n - 1)
    return left + u


def of_which_one_adjoint_is_not_asked_for(x, k, n):
    return np.sum(tree(x, 0.7, n)) * k


PROGRAMS = [
    *(of_numbers, of_two_arguments, changes_what_it_makes, called_in_a_loop),
    of_which_one_adjoint_is_not_asked_for,
]


def along(function: Callable[..., Any], x: Any, k: float, step: float = 1e-6) -> Any:
    """The derivative of what a gradient gives, by differences."""
    high, low = (function(x + h * V, k + h * 0.8, 2) for h in (step, -step))
    return [(a - b) / (2 * step) for a, b in zip(high, low)]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_all_orders(function):
    gradient = grad(function, wrt=(0, 1))
    expected = along(gradient, X, 0.7)
    found = hvp(function, wrt=(0, 1))(X, 0.7, 2, (V, 0.8))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, **CLOSE)

    def slope(x, k):
        return np.sum(grad(function)(x, k, 2) * V) + grad(function, wrt=1)(x, k, 2) * 0.8

    for one, other in zip(grad(slope, wrt=(0, 1))(X, 0.7), expected, strict=True):
        np.testing.assert_allclose(one, other, **CLOSE)
    assert not compiler.REASONS, compiler.REASONS


def test_third_order_and_several_directions():
    assert grad(grad(grad(power)))(1.5, 4) == 24.0 * 1.5
    found = hessian(of_two_arguments)(X, 0.7, 2)
    np.testing.assert_allclose(found @ V, hvp(of_two_arguments)(X, 0.7, 2, V), rtol=1e-12)
    assert not compiler.REASONS, compiler.REASONS


def fourth(x, n):
    return power(x, n)


def test_the_function_runs_once_where_its_adjoints_run_it():
    product = hvp(fourth)
    assert product(1.5, 4, 1.0) == 27.0
    assert "power_adjoints_jvp(x, n, 1.0, x_dot)" in product.source
    assert "_ = power" not in product.source
