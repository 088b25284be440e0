"""Results that nobody else holds are not copied; two masks that complement each other are one."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad, value_and_grad


def text_of(function, *args, wrt=0):
    """The code of a gradient, without its heading; the gradient is computed."""
    derivative = grad(function, wrt)
    derivative(*args)
    return derivative.source.split('"""')[2]


def quotient(x, y):
    return np.sum(x / y)


def branches(x, w):
    return np.sum(np.where(x > 1, x**2, 2 * x) * w)


def branches_of_numbers(x, w):
    return np.where(x > 1, x**2, 2 * x) * w


def doubled(x, y):
    return np.sum(x * y) + np.sum(x)


def weights(x, y, w):
    return np.sum(x[:, None] * y[None, :] * w)


def weighted_rows(x, w, n):
    y = np.exp(x)
    for i in range(n):
        y = np.log(np.exp(y[None, :] + w).sum(axis=1))
    return np.sum(y)


def itself(x, n):
    y = x
    for i in range(n):
        y = y + 0.0 * i
    return np.sum(y * X)


X = np.array([0.5, 1.5, 2.0])


def test_a_buffer_of_its_own_is_returned():
    text = text_of(quotient, X, X + 1, wrt=(0, 1))
    assert "scaled = 1.0 / y" in text
    assert ".copy()" not in text


def test_an_argument_is_copied():
    x_bar, y_bar = grad(doubled, (0, 1))(X, X + 1)
    y = X + 1
    assert not np.shares_memory(grad(lambda y: np.sum(y * X))(y), X)
    assert not np.shares_memory(y_bar, X)
    np.testing.assert_array_equal(x_bar, X + 2)


def test_results_do_not_share_memory():
    _, (x_bar, y_bar) = value_and_grad(quotient, (0, 1))(X, X + 1)
    assert not np.shares_memory(x_bar, y_bar)


def test_complementary_masks_are_one_choice():
    assert text_of(branches, X, X).count("np.where") == 1
    found = grad(branches)(X, X)
    np.testing.assert_array_equal(found, np.where(X > 1, 2 * X, 2) * X)


@pytest.mark.parametrize("x", [0.5, 1.5])
def test_complementary_masks_of_numbers(x):
    assert grad(branches_of_numbers)(x, 3.0) == (2 * x if x > 1 else 2) * 3.0


def test_sums_of_weighted_rows_are_products_of_matrices():
    w = np.arange(12.0).reshape(3, 4)
    y = np.arange(4.0)
    assert "return w @ y, x @ w" in text_of(weights, X, y, w, wrt=(0, 1))
    found = grad(weights, (0, 1))(X, y, w)
    np.testing.assert_allclose(found[0], w @ y)
    np.testing.assert_allclose(found[1], X @ w)


def test_what_only_dead_views_share_is_returned():
    text = text_of(weighted_rows, X, np.ones((3, 3)), 2, wrt=(0, 1))
    assert "[:, None]" in text  # a view of the adjoint
    assert ".copy()" not in text


@pytest.mark.parametrize("n", [0, 2])
def test_what_an_argument_may_share_is_copied(n):
    w = X.copy()

    def weighted(x):
        y = x
        for _ in range(n):
            y = y * 1.0
        return np.sum(y * w)

    assert not np.shares_memory(grad(weighted)(X), w)
    assert not np.shares_memory(grad(itself)(X, n), X)
