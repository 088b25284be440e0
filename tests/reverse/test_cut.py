"""Splits into equal parts are slices, where the sizes say that they are equal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import check_grads, grad, hessian, hvp, jvp


def halves(x: Any) -> Any:
    a, b = np.split(x, 2)
    return np.sum(a * b)


def thirds_of_columns(x: Any) -> Any:
    i, f, g = np.split(x, 3, axis=-1)
    return np.sum(i * f - np.tanh(g) * f)


def named_axis(x: Any) -> Any:
    top, bottom = np.vsplit(x, 2)
    left, right = np.hsplit(top * bottom, 3)[:2]
    return np.sum(left * right)


def stored_to(x: Any) -> Any:
    y = x * 1.0
    a, b = np.split(y, 2)
    a[0] = b[1] * b[1]
    b *= a
    return np.sum(y * y)


def in_a_loop(x: Any) -> Any:
    h = x
    for _ in range(3):
        a, b = np.split(h, 2)
        h = np.concatenate([b * b, np.sin(a)])
    return np.sum(h)


def swapped(x: Any) -> Any:
    a = x * 2.0
    for _ in range(2):
        a, b = np.split(np.concatenate([a, a * a]), 2)
        a = a + b
    return np.sum(a)


V = np.linspace(0.4, 1.3, 6)
M = np.linspace(-1.0, 2.0, 36).reshape(6, 6)


def named_as_a_list_too(x: Any) -> Any:
    a, b = parts = np.split(x, 2)
    return np.sum(a * b) + np.sum(parts[0] ** 2)


def source(function: Callable[..., Any], x: Any) -> str:
    derivative = grad(function)
    derivative(x)
    return derivative.source


@pytest.mark.parametrize(
    ("function", "x"),
    [
        *((halves, V), (thirds_of_columns, M), (named_axis, M)),
        *((stored_to, V), (in_a_loop, V), (swapped, V), (named_as_a_list_too, V)),
    ],
)
def test_derivatives(function: Callable[..., Any], x: Any) -> None:
    check_grads(function, x)
    v = np.cos(np.arange(x.size)).reshape(x.shape)
    product = np.tensordot(hessian(function)(x), v, x.ndim)
    np.testing.assert_allclose(hvp(function)(x, v), product, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(jvp(function, (x,), (v,))[1], np.sum(grad(function)(x) * v))


def test_code_for_arrays_of_any_size_splits() -> None:
    derivative = grad(halves, sizes=False)
    np.testing.assert_array_equal(derivative(V), grad(halves)(V))
    assert "np.split(x, 2)" in derivative.source


def test_what_does_not_divide_is_an_error() -> None:
    for own in (V[:5], np.ones(3)):
        with pytest.raises(ValueError, match="equal division"):
            grad(halves)(own)


def columns_taken(x: Any, k: Any) -> Any:
    return np.sum(np.take_along_axis(x, k, axis=1) ** 2)


def rows_taken(x: Any, k: Any) -> Any:
    return np.sum(np.take_along_axis(x, k, axis=0) ** 2)


def trace(x: Any) -> Any:
    return np.trace(x) ** 2


def test_elements_along_an_axis_are_added_to_as_by_hand() -> None:
    k = np.array([[0, 0, 2], [1, 1, 1], [5, 2, 5]])
    for function, places in ((columns_taken, k), (rows_taken, k[:, [0, 1, 2, 0, 1, 2]])):
        rows = M[:3] if function is columns_taken else M
        check_grads(lambda x, f=function, p=places: f(x, p), rows)
        one_row = places[:1] if function is columns_taken else places[:, :1]
        check_grads(lambda x, f=function, p=one_row: f(x, p), rows)
        derivative = grad(function)
        derivative(rows, places)
        assert "np.add.at(x_bar, (" in derivative.source
        assert "scatter_along" not in derivative.source


def test_the_adjoint_of_a_trace() -> None:
    assert "np.eye(x.shape[0])" in source(trace, M)
    assert grad(trace)(M.astype(np.float32)).dtype == np.float32
    np.testing.assert_array_equal(grad(trace)(M[:4]), 2 * np.trace(M[:4]) * np.eye(4, 6))
