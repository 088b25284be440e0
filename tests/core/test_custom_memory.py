"""Functions with derivatives of the user's: what they are given, what they give, whose memory."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, MissingRuleError, custom, grad, hvp, implicit, jvp
from tests.core.differences import check

X = np.array([0.7, 0.4, 1.1, 0.9])
W = np.array([0.3, 1.2, -0.7, 0.5])


@custom(vjp=lambda g, y, x: g, jvp=lambda x_dot, y, x: x_dot)
def itself(x):
    return x


@custom(vjp=lambda g, y, x: -g, jvp=lambda x_dot, y, x: -x_dot)
def reversal(x):
    return x


@custom(vjp=lambda g, y, x: g[0] * np.cos(x) + 2.0 * g[1])
def pair(x):
    return np.sin(x), 2.0 * x


@custom(vjp=lambda g, y, table, k: ({"x": 2.0 * g * table["x"], "n": 0.0}, None))
def of_a_table(table, k):
    return table["x"] ** 2 + k


@dataclasses.dataclass
class Spring:
    stiffness: Any

    @custom(vjp=lambda g, y, self, x: (Spring(g * x**2), 2.0 * g * self.stiffness * x))
    def energy(self, x):
        return self.stiffness * x**2


SPRING = Spring(2.0)


def of_two_results(x):
    a, b = pair(x)
    return np.sum(a * b)


def of_one_of_two(x):
    return np.sum(pair(x)[1] * W)


def of_containers(x):
    return np.sum(of_a_table({"x": x * x, "n": 3}, 1.0) * x)


def of_an_object(x):
    return np.sum(Spring(x * x).energy(np.sin(x)))


def of_an_object_outside(x):
    return np.sum(SPRING.energy(np.sin(x)))


def changed_afterwards(x):
    u = x * 1.0
    y = itself(u)
    y[1:] = y[:-1] * 2.0
    return np.sum(y * y)


def stored_where_it_is_from(x):
    u = x * 1.0
    for _ in range(2):
        u[:-1] = itself(u[1:])
        u[1:] = u[1:] * u[:-1]
    return np.sum(u * W)


@pytest.mark.parametrize(
    "function",
    [
        of_two_results,
        of_one_of_two,
        of_containers,
        of_an_object,
        of_an_object_outside,
        changed_afterwards,
        stored_where_it_is_from,
    ],
)
def test_programs(monkeypatch, function):
    check(monkeypatch, function, X)


def test_a_result_that_is_the_argument_has_the_derivative_of_the_rule():
    """Where it changes it is memory of its own: not all that is memory of `u` has one adjoint."""

    def function(x):
        u = x * 1.0
        y = reversal(u)
        y[0] = y[1] * 2.0
        return np.sum(y * W)

    expected = -np.array([0.0, W[1] + 2.0 * W[0], W[2], W[3]])
    np.testing.assert_allclose(grad(function)(X), expected)
    np.testing.assert_allclose([jvp(function, (X,), (e,))[1] for e in np.eye(4)], expected)


def both_in_use(x):
    u = x * 1.0
    y = itself(u)
    u[1:] = u[1:] * y[:-1]
    return np.sum(u * y)


def by_two_calls(x):
    u = x * 1.0
    t = itself(itself(u))
    t[1:] = u[:-1] * t[1:]
    return np.sum(u * t)


def by_two_from_one(x):
    w = x * 1.0
    u, v = itself(w), itself(w)
    u[3] = v[3] * x[1]
    return np.sum(u * v)


@pytest.mark.parametrize("function", [both_in_use, by_two_calls, by_two_from_one])
def test_memory_that_is_seen_by_two_names_is_refused(function):
    for derivative in (grad(function), lambda x: jvp(function, (x,), (x,))):
        with pytest.raises(AutodiffError, match="a function of the user's may give back"):
            derivative(X)


def test_second_derivatives_read_what_was_given():
    def root_vjp(g, y, a):
        return g / (2.0 * y)

    @custom(vjp=root_vjp)
    def root(a):
        return np.asarray(a) ** 0.5

    def total(x):
        return np.sum(root(x * x + 1.0) * x)

    h = 1e-5
    expected = (grad(total)(X + h * W) - grad(total)(X - h * W)) / (2.0 * h)
    np.testing.assert_allclose(hvp(total)(X, W), expected, rtol=1e-7)
    np.testing.assert_allclose(grad(lambda x: grad(total)(x) @ W)(X), expected, rtol=1e-7)
    assert "root_vjp" in grad(total).source_for(X)


def test_as_many_adjoints_as_parameters():
    @custom(vjp=lambda g, y, a, b: (g, g, g))
    def several(a, b):
        return a + b

    source = grad(lambda x: np.sum(several(x, 2.0 * x))).source_for(X)
    assert "a_bar, b_bar = several_vjp(" in source
    with pytest.raises(ValueError, match="unpack"):
        grad(lambda x: several(x, 2.0))(3.0)


def test_what_gives_no_number():
    hidden = {"f": lambda x: {"a": x}}

    @custom(vjp=lambda g, y, x: g)
    def opaque(x):
        return eval("f(x)", {**hidden, "x": x})

    with pytest.raises(AutodiffError, match="returned a dict"):
        grad(lambda x: opaque(x) * 2.0)(3.0)


def test_a_tangent_by_the_transpose_is_that_of_a_linear_function():
    @custom(vjp=lambda g, y, x: g * abs(g))
    def crooked(x):
        return 2.0 * x

    with pytest.raises(MissingRuleError, match="not known to be linear"):
        jvp(crooked, (2.0,), (1.0,))


@implicit(lambda problem, x, y: y - np.tanh(problem.stiffness * y + x))
def fixed_point(problem, x):
    y = np.zeros_like(x)
    for _ in range(80):
        y = np.tanh(problem.stiffness * y + x)
    return y


def test_second_derivatives_of_implicit_functions_of_objects():
    def total(x):
        return np.sum(fixed_point(Spring(0.1), x * x) ** 2)

    h = 1e-5
    expected = (grad(total)(X + h * W) - grad(total)(X - h * W)) / (2.0 * h)
    np.testing.assert_allclose(hvp(total)(X, W), expected, rtol=1e-6)
    np.testing.assert_allclose(grad(lambda x: grad(total)(x) @ W)(X), expected, rtol=1e-6)


STATE = Spring(np.array([1.0, 2.0, 3.0, 4.0]))


def test_an_object_outside_that_changes_is_refused():
    def function(x):
        y = STATE.energy(x)
        STATE.stiffness[0] = y[0]
        return np.sum(y + STATE.energy(x))

    kept = STATE.stiffness.copy()
    try:
        with pytest.raises(AutodiffError, match="an object of outside is read here"):
            grad(function)(X)
    finally:
        STATE.stiffness[:] = kept
