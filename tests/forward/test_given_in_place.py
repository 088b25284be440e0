"""Functions with given derivatives, whose result may be memory that changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import custom, grad, hvp, implicit, jacfwd, jvp, sparse_jacobian
from autodiff.errors import UnsupportedSyntaxError
from tests.language import oracle

WEIGHTS = np.array([0.2, 1.5, -1.0, 0.7])
X = np.array([0.3, 0.7, -0.4, 1.1])
V = np.array([1.0, -0.5, 2.0, 0.3])


@custom(vjp=lambda y_bar, y, x: y_bar * np.cos(x), jvp=lambda x_dot, y, x: np.cos(x) * x_dot)
def smoothed(x):
    return np.sin(x)


@custom(vjp=lambda y_bar, y, x: y_bar, jvp=lambda x_dot, y, x: x_dot)
def itself(x):
    return x


@custom(vjp=lambda y_bar, y, x: y_bar, jvp=lambda x_dot, y, x: x_dot)
def copied(x):
    return x * 1.0


@implicit(lambda x, y: y**3 + y - x)
def root(x):
    y = np.zeros_like(x)
    for _ in range(50):
        y = y - (y**3 + y - x) / (3.0 * y**2 + 1.0)
    return y


def stored(x):
    u = x * 1.0
    for _ in range(2):
        u[1:] = smoothed(u[:-1]) * u[1:]
        u[:-1] = itself(u[1:])
    return u * WEIGHTS


def taken_over(x):
    u = x * 1.0
    for _ in range(3):
        u[1:] = itself(u[:-1])
        u = copied(u)
        u[:2] = u[:2] * x[2:]
    return u * WEIGHTS


def of_the_argument(x):
    y = itself(x)
    y[1:] = y[:-1] * 2.0
    return y * y


def swapped(x):
    u, w = x * 1.0, x * 0.5
    for _ in range(3):
        u[1:] = root(w[:-1]) * u[1:]
        u, w = w, u
    return u * w


def in_turns(x):
    u = x * 1.0
    t = x
    for _ in range(3):
        u[1:] = t[:-1] * u[1:]
        t = copied(u)
    return u * t


def on_branches(x):
    u = x * 1.0
    for k in range(3):
        t = copied(u)
        if k % 2:
            u[1:] = t[:-1] * x[1:]
        else:
            t[1:] = 2.0 * t[:-1]
            u = t
    return u * WEIGHTS


FUNCTIONS = [stored, taken_over, of_the_argument, swapped, in_turns, on_branches]


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_both_modes_are_right(f: Callable[..., Any]) -> None:
    def total(x: Any) -> Any:
        return np.sum(f(x) * V)

    expected = oracle.gradients(total, (X,), {}, [0])[0][0]
    given = X.copy()
    np.testing.assert_allclose(grad(total)(given), expected, rtol=1e-9, atol=1e-9)
    single = [jvp(total, (given,), (unit,))[1] for unit in np.eye(4)]
    np.testing.assert_allclose(single, expected, rtol=1e-9, atol=1e-9)
    found = jacfwd(f)(given)
    np.testing.assert_allclose(V @ found, expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(sparse_jacobian(f)(given).toarray(), found, atol=1e-12)
    np.testing.assert_array_equal(given, X)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_second_derivatives_are_right(f: Callable[..., Any]) -> None:
    def total(x: Any) -> Any:
        return np.sum(f(x) * V)

    def slope(x: Any) -> Any:
        return np.sum(grad(total)(x) * V)

    expected = oracle.gradients(slope, (X,), {}, [0])[0][0]
    np.testing.assert_allclose(hvp(total)(X, V), expected, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(grad(slope)(X), expected, rtol=1e-7, atol=1e-8)


def both_in_use(x, given):
    u = x * 1.0
    t = given(u)
    u[1:] = u[1:] * t[:-1]
    return u * t


def kept(x, given):
    u = x * 1.0
    ts = []
    for _ in range(3):
        ts.append(given(u))
        u[1:] = u[:-1] * x[1:]
    return ts[1] * WEIGHTS


def through_a_view(x, given):
    u = x * 1.0
    row = given(u)[1:]
    row[0] = u[2] * 2.0
    return u * u


@pytest.mark.parametrize("given", [copied, itself], ids=["copied", "itself"])
@pytest.mark.parametrize("f", [both_in_use, kept, through_a_view], ids=lambda f: f.__name__)
def test_what_is_still_in_use_may_be_the_same_memory(f: Any, given: Any) -> None:
    def total(x: Any) -> Any:
        return np.sum(f(x, given) * V)

    expected = oracle.gradients(total, (X,), {}, [0])[0][0]
    for found in (
        lambda: grad(total)(X),
        lambda: [jvp(total, (X,), (unit,))[1] for unit in np.eye(4)],
    ):
        try:
            np.testing.assert_allclose(found(), expected, rtol=1e-7, atol=1e-8)
        except UnsupportedSyntaxError:
            if given is copied:
                raise
