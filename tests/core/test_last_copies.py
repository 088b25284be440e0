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


def weighted_edges(x, w):
    return np.sum(np.pad(x, 1, mode="edge") * w)


def weighted_convolution(x, k, w):
    return np.sum(np.convolve(x, k, "valid") * w)


def values_and_vectors(a, w):
    values, vectors = np.linalg.eigh(a)
    return np.sum(values) + np.sum(vectors**2 * w)


X = np.array([0.5, 1.5, 2.0])


def test_a_buffer_of_its_own_is_returned():
    text = text_of(quotient, X, X + 1, wrt=(0, 1))
    assert "scaled = 1.0 / y" in text
    assert ".copy()" not in text


def test_a_part_is_copied_where_it_is_taken():
    w = np.arange(5.0)
    text = text_of(weighted_edges, X, w)
    assert "x_bar = w[1:-1].copy()" in text
    assert "x_bar[0] += w[0]" in text
    np.testing.assert_array_equal(grad(weighted_edges)(X, w), [1, 2, 7])
    assert w.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("n", "m", "k"), [(5, 3, 3), (3, 5, 3), (4, 4, 1), (4, 4, 3), (5, 3, 1)])
def test_convolutions_that_may_have_one_element(n, m, k):
    """Weights of several elements meet as many, or one."""
    x, v, w = np.arange(1.0, n + 1), np.arange(2.0, m + 2), np.arange(3.0, k + 3)
    x_bar, v_bar = grad(weighted_convolution, ("x", "k"))(x, v, w)
    rows, columns = np.eye(n), np.eye(m)
    expected = [weighted_convolution(row, v, w) for row in rows]  # it is linear in each
    np.testing.assert_allclose(x_bar, expected)
    np.testing.assert_allclose(v_bar, [weighted_convolution(x, row, w) for row in columns])


def test_the_adjoint_of_all_values_is_one_number():
    a = np.diag(X) + 0.1
    text = text_of(values_and_vectors, a, a)
    assert "eigh_adjoint(1.0, " in text


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
    found = grad(branches)(X, X)
    np.testing.assert_array_equal(found, np.where(X > 1, 2 * X, 2) * X)


@pytest.mark.parametrize("x", [0.5, 1.5])
def test_complementary_masks_of_numbers(x):
    assert grad(branches_of_numbers)(x, 3.0) == (2 * x if x > 1 else 2) * 3.0


def test_sums_of_weighted_rows_are_products_of_matrices():
    w = np.arange(12.0).reshape(3, 4)
    y = np.arange(4.0)
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
