"""Derivatives of derivatives, and of functions that take derivatives, in any order."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import (
    AutodiffError,
    NonDifferentiableError,
    UnsupportedSyntaxError,
    elementwise_grad,
    grad,
    hessian,
    hvp,
    jacfwd,
    jacobian,
    jacrev,
    jvp,
    value_and_grad,
    vjp,
)
from tests.core.differences import refused_or_right

X = np.array([0.7, 1.3, 0.4])


def potential(x):
    return np.sum(x**3) + x[0] * x[1]


def vector(x):
    return np.array([x[0] * x[1], np.sin(x[1]), x[2] ** 2 * x[0]])


def table(x, y):
    return np.outer(x, y) * np.sum(x)


def curve(t):
    return np.array([t, t**2, np.sin(t)])


def cube(t):
    return t**3


field = jacobian(vector)


def squared_jacobian(x):
    return np.sum(jacobian(vector)(x) ** 2)


def squared_jacobian_by_columns(x):
    return np.sum(jacfwd(vector)(x) ** 2)


def squared_jacobian_in_a_mode(x):
    return np.sum(jacobian(vector, mode="forward")(x) ** 2) * np.sum(jacrev(vector)(x))


def determinant(x):
    return np.linalg.slogdet(field(x) + 4.0 * np.eye(3))[1] + np.trace(field(x))


def of_two_arguments(x):
    a, b = jacobian(table, wrt=(0, 1))(x, x * x)
    c, d = jacfwd(table, wrt=("x", "y"))(x, x * x)
    return np.sum(a**2) * np.sum(b) + np.sum(c * d)


def of_the_second_argument(x):
    return np.sum(jacobian(table, wrt=1)(x, x * x) ** 2)


def of_a_curve(x):
    slopes = jacobian(curve)(x[0] * x[1])
    return np.sum(slopes**2) + np.sum(jacrev(curve)(x[2]) * jacfwd(curve)(x[0]))


def of_numbers(x):
    return jacrev(cube)(x[0] * x[1]) * jacfwd(cube)(x[1])


def curvature(x):
    return np.sum(hessian(potential)(x) ** 2) * hessian(cube)(x[0])


def product_with_a_vector(x):
    return np.sum(hvp(potential)(x, x * x) ** 2) * hvp(cube)(x[0], x[1])


def slope_of_each(x):
    return np.sum(elementwise_grad(cube)(x) ** 2)


def pulled_back(x):
    value, pullback = vjp(vector, x)
    (back,) = pullback(value * value)
    return np.sum(back**2)


def pulled_back_twice(x):
    value, pullback = vjp(table, x, 2.0 * x)
    a, b = pullback(value)
    c, d = pullback(np.ones((3, 3)))
    return np.sum(a * b) + np.sum(c * d)


def pulled_back_from_a_number(x):
    value, pullback = vjp(potential, x)
    return value * np.sum(pullback(2.0)[0] ** 2)


def newton_steps(x):
    for _ in range(2):
        x = x - np.linalg.solve(jacobian(vector)(x) + 3.0 * np.eye(3), vector(x))
    return np.sum(x * x)


def minimized(x):
    y = x
    for _ in range(3):
        y = y - np.linalg.solve(hessian(potential)(y) + 5.0 * np.eye(3), grad(potential)(y))
    return potential(y)


FUNCTIONS = [
    *(squared_jacobian, squared_jacobian_by_columns, squared_jacobian_in_a_mode, determinant),
    *(of_two_arguments, of_the_second_argument, of_a_curve, of_numbers, curvature),
    *(product_with_a_vector, slope_of_each, pulled_back, pulled_back_twice),
    *(pulled_back_from_a_number, newton_steps, minimized),
]


def differences(f: Callable[..., Any], x: np.ndarray, step: float = 1e-6) -> np.ndarray:
    return np.array([(f(x + h) - f(x - h)) / (2.0 * step) for h in np.eye(len(x)) * step])


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_derivatives_taken_inside(function: Callable[..., Any]) -> None:
    expected = differences(function, X)
    np.testing.assert_allclose(grad(function)(X), expected, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(jacfwd(function)(X), expected, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(value_and_grad(function)(X)[1], grad(function)(X), rtol=1e-14)


@pytest.mark.parametrize(
    "function",
    [squared_jacobian, of_two_arguments, of_a_curve, curvature, pulled_back_twice, determinant],
    ids=lambda f: f.__name__,
)
def test_their_hessians(function: Callable[..., Any]) -> None:
    found = hessian(function)(X)
    np.testing.assert_allclose(found, differences(grad(function), X), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(found, found.T, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("outer", [jacfwd, jacrev, jacobian])
@pytest.mark.parametrize("inner", [jacfwd, jacrev, jacobian])
def test_second_derivatives_in_any_order(outer: Any, inner: Any) -> None:
    expected = hessian(potential)(X)
    np.testing.assert_allclose(outer(inner(potential))(X), expected, rtol=1e-13)
    twice = outer(inner(vector))(X)
    assert twice.shape == (3, 3, 3)
    np.testing.assert_allclose(twice, jacobian(hessian_of_each)(X), rtol=1e-13, atol=1e-13)
    assert abs(outer(inner(cube))(2.0) - 12.0) < 1e-12
    np.testing.assert_allclose(outer(inner(curve))(0.5), [0.0, 2.0, -np.sin(0.5)], atol=1e-14)


def hessian_of_each(x):
    """The Jacobian of `vector`, by hand."""
    zero = 0.0 * x[0]
    return np.array(
        [
            [x[1], x[0], zero],
            [zero, np.cos(x[1]), zero],
            [x[2] ** 2, zero, 2.0 * x[2] * x[0]],
        ]
    )


def test_third_derivatives() -> None:
    expected = np.zeros((3, 3, 3))
    expected[range(3), range(3), range(3)] = 6.0
    for third in (
        jacfwd(hessian(potential)),
        jacrev(hessian(potential)),
        jacrev(jacrev(jacrev(potential))),
        jacobian(jacobian(grad(potential))),
        jacfwd(jacrev(jacfwd(potential))),
    ):
        np.testing.assert_allclose(third(X), expected, atol=1e-12)


def test_products_with_derivatives_of_jacobians() -> None:
    second = jacobian(jacobian(vector))(X)
    np.testing.assert_allclose(jvp(jacobian(vector), (X,), (X,))[1], second @ X, rtol=1e-13)
    seed = np.arange(9.0).reshape(3, 3)
    (back,) = vjp(jacobian(vector), X)[1](seed)
    np.testing.assert_allclose(back, np.tensordot(seed, second, 2), rtol=1e-13)
    np.testing.assert_allclose(elementwise_grad(elementwise_grad(cube))(X), 6.0 * X, rtol=1e-13)
    of_product = jacobian(hvp(potential))(X, X)
    np.testing.assert_allclose(of_product, 6.0 * np.diag(X), atol=1e-12)


def test_mixed_derivatives_of_two_arguments() -> None:
    mixed = jacobian(jacobian(table, wrt=1), wrt=0)(X, X)
    other = jacobian(jacobian(table, wrt=0), wrt=1)(X, X)
    np.testing.assert_allclose(mixed, np.swapaxes(other, 2, 3), rtol=1e-13)


def test_single_precision_stays() -> None:
    x = X.astype(np.float32)
    assert grad(squared_jacobian)(x).dtype == np.float32
    assert jacrev(jacfwd(vector))(x).dtype == jacfwd(jacrev(vector))(x).dtype == np.float32


def test_names_and_signatures_are_kept() -> None:
    twice = jacfwd(jacrev(table, wrt="y"))
    assert twice.__name__ == "table"
    assert list(inspect.signature(twice).parameters) == ["x", "y"]
    assert twice.wrt == ("x",)


class Model:
    def __init__(self, scale):
        self.scale = scale

    @jacobian
    def outputs(self, x):
        return self.scale * x**2


@pytest.mark.parametrize(
    "function",
    [
        lambda x: jvp(potential, (x,), (1.0,))[1],
        lambda x: jvp(potential, (x,), (x[:1],))[1],
        lambda x: np.sum(hvp(potential)(x, x[:1])),
        lambda x: np.sum(vjp(vector, x)[1](x[:1])[0]),
        lambda x: np.sum(vjp(vector, x)[1](2.0)[0]),
    ],
    ids=["number", "tangent", "vector", "seed", "seed_number"],
)
def test_other_shapes_are_errors_inside_as_outside(function: Callable[..., Any]) -> None:
    with pytest.raises(AutodiffError):
        function(X)
    with pytest.raises((ValueError, UnsupportedSyntaxError), match="shape"):
        grad(function)(X)


def shadowing(row, gradient, primal, np=2.0):
    return row**2 * gradient * np + primal


def of_shadowing(x):
    return np.sum(jacobian(shadowing)(x, x * x, x) ** 2) + np.sum(
        hvp(lambda gradient, jvp: np.sum(gradient**3) * jvp)(x, x[0], x)
    )


def test_parameters_may_be_called_as_what_the_text_calls() -> None:
    expected = differences(of_shadowing, X)
    np.testing.assert_allclose(grad(of_shadowing)(X), expected, rtol=1e-6)


def derivative(x):
    return x**3 * x[0]


def test_functions_may_be_called_so_too() -> None:
    np.testing.assert_allclose(
        jacfwd(jacrev(derivative))(X), jacobian(jacfwd(derivative))(X), rtol=1e-13
    )


def made(k):
    return grad(lambda y: np.sum(y**2) * k)


def test_derivatives_that_a_helper_makes_in_a_loop_are_not_mixed_up() -> None:
    def listed(x):
        slopes = [made(x[k]) for k in range(3)]
        return sum(np.sum(g(x)) * i for i, g in enumerate(slopes))

    def apart(x):
        one, other = made(x[0]), made(x[1])
        return np.sum(one(x)) * np.sum(other(x) * x)

    refused_or_right(listed, X, match="made in a loop")
    np.testing.assert_allclose(grad(apart)(X), differences(apart, X), rtol=1e-6)


def test_what_is_refused() -> None:
    with pytest.raises(NonDifferentiableError):
        jacfwd(jacobian(cube, holomorphic=True))(X)
    with pytest.raises((NonDifferentiableError, UnsupportedSyntaxError)):
        jacfwd(Model(2.0).outputs)(X)

    def of_a_pair(x):
        return np.sum(jacobian(lambda p: p[0] * p[1] * x)((x[0], x[1]))[0])

    with pytest.raises(UnsupportedSyntaxError, match="`p` may be something else"):
        grad(of_a_pair)(X)

    def pairs(x):
        return x[0], x[1:] ** 2

    with pytest.raises(TypeError, match="a number or an array"):
        jacfwd(jacrev(pairs))(X)


def with_default(x, scale=2.0):
    return scale * np.sum(x**3)


def along_with_a_default(x):
    return jvp(with_default, (x,), (x * x,))[1] + jvp(with_default, (x, x[0]), (x, None))[1]


def test_defaults() -> None:
    expected = differences(along_with_a_default, X)
    np.testing.assert_allclose(grad(along_with_a_default)(X), expected, rtol=1e-6)
    np.testing.assert_allclose(jacfwd(jacrev(with_default))(X), 12.0 * np.diag(X), atol=1e-12)
    np.testing.assert_allclose(jacfwd(jacrev(with_default))(X, 1.0), 6.0 * np.diag(X), atol=1e-12)
