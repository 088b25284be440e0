"""What a function gives beside its value (`has_aux`): as the function gives it, in every form."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from autodiff import grad, value_and_grad
from tests.core.judge import core_alone

X = np.array([0.5, -0.3, 1.2])


def states(x):
    u, seen = x * 1.0, []
    for k in range(3):
        u = np.sin(u) * x + k
        seen.append(u)
    return np.sum(u * u), seen


def updated_in_place(x):
    u = x * 2.0
    v = u[1:]
    for k in range(2):
        u[0] *= u[k + 1]
        v += x[k]
    return np.sum(u * u), (u, v, {"first": u[0]})


def same_as_the_gradient(x):
    return 0.5 * np.sum(x * x), x


def last_of_a_loop(x):
    h = np.zeros(3)
    for k in range(3):
        z = h * x + k
        h = np.tanh(z)
    return np.sum(h * x), [h, z, "text", None, 3]


def swapped(x):
    a, b = x * 1.0, x * 2.0
    for _ in range(3):
        a, b = b, a * b
        a[0] = b[1]
    return np.sum(a), (a, b)


def number(x):
    t = x[0]
    for k in range(3):
        t = t * np.sin(x[1]) + k
    return t * t, t


@pytest.mark.parametrize(
    "function",
    [states, updated_in_place, same_as_the_gradient, last_of_a_loop, swapped, number],
    ids=lambda f: f.__name__,
)
def test_as_the_function_gives_it(function: Any) -> None:
    value, aux = function(X.copy())
    expected = np.zeros(3)
    for k, step in enumerate(np.eye(3) * 1e-6):
        expected[k] = (function(X + step)[0] - function(X - step)[0]) / 2e-6
    x = X.copy()
    with (
        nullcontext() if function is states else core_alone()
    ):  # a path of a list of its own is left out
        gradient, beside = grad(function, has_aux=True)(x)
        (again, besides), both = value_and_grad(function, has_aux=True)(x)
    np.testing.assert_array_equal(x, X)
    np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-8)
    np.testing.assert_array_equal(gradient, both)
    assert again == value
    assert repr(beside) == repr(besides) == repr(aux)
    assert not any(np.shares_memory(gradient, each) for each in arrays(beside))


def arrays(value: Any) -> list[np.ndarray]:
    """The arrays in a value."""
    if isinstance(value, np.ndarray):
        return [value]
    items = value.values() if isinstance(value, dict) else value
    return [a for v in items for a in arrays(v)] if isinstance(value, (list, tuple, dict)) else []
