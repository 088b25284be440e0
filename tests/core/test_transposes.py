"""Products of matrices that are turned, and constants around quotients."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import check_grads, grad


def attention(q, k, v):
    scores = q @ k.T / np.sqrt(2.0)
    return np.sum((np.tanh(scores) @ v) ** 2)


def outer_turned(a, b):
    return np.sum(np.outer(a, b).T ** 3)


def turned_in_a_loop(a, x):
    for _ in range(3):
        b = a.T
        x = np.tanh(b @ x)
        a = a + 0.1 * np.outer(x, x)
    return np.sum(x * (a.T @ x))


def stack_exchanged(q, p):
    return np.sum((p @ np.swapaxes(q, 1, 2)) ** 3)


def stack_permuted(q, p):
    return np.sum((p @ q.transpose(0, 2, -2)) ** 3)


def cycled(q):
    y = np.transpose(q, (1, 2, 0))
    return np.sum(y[0] * np.transpose(y, (2, 0, 1))[1, 1])


def products_of_other_axes(q, p):
    return np.sum(np.swapaxes(q @ p, 0, 1) ** 3)


def mean_of_squares(x):
    return np.mean((x - 1.0) ** 2) + np.sqrt(np.sum(x * x)) / 2


RANDOM = np.random.default_rng(0)
A, B, C = (RANDOM.normal(size=(3, 4)), RANDOM.normal(size=(5, 4)), RANDOM.normal(size=(5, 2)))
SQUARE, X = RANDOM.normal(size=(4, 4)), RANDOM.normal(size=4)


def test_products_are_not_turned() -> None:
    check_grads(attention, A, B, C)
    source = grad(attention, (0, 1, 2)).source_for(A, B, C)
    assert ".T.T" not in source
    assert "_T" not in source
    assert ").T" not in source
    check_grads(outer_turned, X, A[0])
    check_grads(turned_in_a_loop, SQUARE, X)


STACK, OTHER = RANDOM.normal(size=(3, 2, 4)), RANDOM.normal(size=(3, 5, 4))


@pytest.mark.parametrize("function", [stack_exchanged, stack_permuted])
def test_products_of_stacks_are_not_turned(function) -> None:
    check_grads(function, STACK, OTHER)


def test_other_orders_of_axes() -> None:
    check_grads(cycled, RANDOM.normal(size=(3, 3, 3)), order=2)
    check_grads(products_of_other_axes, STACK, RANDOM.normal(size=(3, 4, 2)))


def test_what_is_turned_in_a_loop_is_that_of_its_iteration() -> None:
    check_grads(turned_in_a_loop, SQUARE, X)


def test_constants_of_quotients() -> None:
    check_grads(mean_of_squares, X)
    source = grad(mean_of_squares).source_for(X)
    assert "2.0 / len(x) * (x - 1.0)" in source
    assert "(2 *" not in source


def scaled_back(x):
    """The constant is inside of what gets an axis, beside a divisor."""
    return np.sum((3.0 * x / (4.0 * x**2))[:, None] * np.ones((4, 2)) * 2.0)


def test_constants_under_an_axis() -> None:
    check_grads(scaled_back, X)
