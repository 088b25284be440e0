"""Views that only add axes, and what flows back through them."""

from typing import Any

import numpy as np
import pytest

from autodiff import grad
from tests.core.judge import core_alone
from tests.core.test_shifts import differences

X, Y = np.array([0.3, -1.2, 0.8]), np.array([1.1, 0.4, -0.6])
M = np.array([[0.3, -1.2, 0.8], [1.1, 0.4, -0.6]])


def pair(x):
    d = x[:, None] - Y[None, :]
    return np.sum(d**2 * np.sin(d))


def with_itself(x):
    d = x[:, None] * x[None, :] - x[:, None]
    return np.sum(np.exp(d) * np.arange(9.0).reshape(3, 3))


def in_front(x):
    return np.sum(x[None] * M * x[np.newaxis, :])


def not_broadcast(x):
    return np.sum(np.sin(x[:, None]) * np.arange(3.0)[:, None])


def updated_before(x):
    z = x * 2.0
    z[1] = z[0] ** 2
    return np.sum((z[:, None] * z) ** 2)


def updated_through(x):
    z = x * 2.0
    w = z[:, None]
    w *= 3.0
    w[0] = z[2]
    return np.sum(z**2 * Y)


def in_a_loop(x):
    s = 0.0
    for i in range(3):
        s = s + np.sum((x[:, None] - Y * i) ** 3)
        x = x * 0.5
    return s


def in_a_branch(x):
    s = np.sum(x[:, None] * M.T) if x[0] > 0.0 else np.sum(x[None, :] ** 2)
    return s * s


def returned_view(x):
    return np.sum(x[:, None, None].reshape(3) ** 2) + np.sum(x[:, None][:, 0] ** 3)


@pytest.mark.parametrize(
    "function",
    [
        pair,
        with_itself,
        in_front,
        not_broadcast,
        updated_before,
        updated_through,
        in_a_loop,
        in_a_branch,
        returned_view,
    ],
    ids=lambda f: f.__name__,
)
def test_gradient(function: Any) -> None:
    with core_alone():
        np.testing.assert_allclose(
            grad(function)(X.copy()), differences(function, X), rtol=1e-6, atol=1e-7
        )


def of_rows(x, w):
    return np.sum((x[:, None, :] * w - w[:, :, :1]) ** 2)


def test_all_arguments() -> None:
    w = np.linspace(-1.0, 1.0, 24).reshape(2, 4, 3)
    x_bar, w_bar = grad(of_rows, wrt=("x", "w"))(M, w)
    np.testing.assert_allclose(x_bar, differences(lambda x: of_rows(x, w), M), rtol=1e-6)
    np.testing.assert_allclose(w_bar, differences(lambda v: of_rows(M, v), w), rtol=1e-6, atol=1e-8)


def distances(x, y):
    d = x[:, None] - y[None, :]
    return np.sum(d**2 * np.sin(d))


def test_text() -> None:
    text = grad(distances, wrt=("x", "y")).source_for(X, np.ones(4))
    assert "return d_bar.sum(axis=1), -d_bar.sum(axis=0)" in text


def of_parts(x):
    return np.sum(np.real(x[:, None] * (1 + 2j) * Y) ** 2)


def test_of_other_numbers() -> None:
    found = grad(of_parts)(X.astype(np.float32))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, differences(of_parts, X), rtol=1e-5)
