"""Tangents that were wrong once, against differences."""

import numpy as np
import pytest

from autodiff import grad, hessian, jacrev, jvp
from tests.installed import works

GAPS = np.array([[1.0, 2.0, -1.0], [0.5, np.nan, 3.0]])
MEANS = works(lambda: np.nanvar(GAPS, mean=0.0))  # since NumPy 2


def variance(x):
    return np.nanvar(x, axis=1, mean=np.nanmean(x, axis=1, keepdims=True))


def deviation(x):
    return np.nanstd(x, axis=1, mean=np.nanmean(x, axis=1, keepdims=True))


def polynomial(roots):
    return np.poly(roots)


@pytest.mark.parametrize(
    ("function", "x"),
    [
        *([(variance, GAPS), (deviation, GAPS)] if MEANS else []),
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


def program(x):
    """Indices of unknown kind, of which the adjoints are added by a helper."""
    steps = [("mul", 0), ("add", 1), ("sin", None), ("mul", 2), ("pow", 3)]
    total = 1.0
    for step in steps:
        match step:
            case ("mul", i):
                total = total * x[i]
            case ("add", i):
                total += x[i] ** 2
            case ("sin", _):
                total = np.sin(total) + total
            case (_, k):
                total = total**k
    return total


def letters(x):
    total = 0.0
    for letter in 'a<b&c"d':
        if letter.isalpha():
            total += x[ord(letter) % 4] ** 2 * np.sin(total)
        elif letter == "&":
            total *= 1.5 + x[0]
        else:
            total = total - x[1]
    return total


@pytest.mark.parametrize("f", [program, letters])
def test_indices_of_unknown_kind_in_all_orders(f):
    x, v = np.array([0.7, -0.4, 1.3, 0.2]), np.array([0.5, 1.0, -2.0, 1.5])
    slope = (grad(f)(x + 1e-6 * v) - grad(f)(x - 1e-6 * v)) / 2e-6
    for product in (
        hessian(f)(x) @ v,
        jacrev(grad(f))(x) @ v,
        grad(lambda y: grad(f)(y) @ v)(x),
        grad(lambda y: jvp(f, (y,), (v,))[1])(x),
    ):
        np.testing.assert_allclose(product, slope, rtol=1e-6, atol=1e-8)
