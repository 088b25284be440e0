"""`custom`: in loops, methods and helpers, both modes, second order; what is refused, and why."""

from __future__ import annotations

import dataclasses
import math
import pickle
from typing import Any

import numpy as np
import pytest

from autodiff import (
    MissingRuleError,
    TemplateError,
    check_grads,
    custom,
    grad,
    hessian,
    jacobian,
    jvp,
    value_and_grad,
)

MATRIX = np.array([[2.0, 1.0], [0.5, 3.0]])
VECTOR = np.array([1.0, 2.0])


def newton(a):
    y = 1.0
    while abs(y * y - a) > 1e-14 * a:
        y = 0.5 * (y + a / y)
    return y


def root_vjp(y_bar, y, a):
    return y_bar / (2.0 * y)


def root_jvp(a_dot, y, a):
    return a_dot / (2.0 * y)


root = custom(newton, vjp=root_vjp, jvp=root_jvp)
reverse_root = custom(newton, vjp=root_vjp)
forward_root = custom(newton, jvp=root_jvp)


class Opaque:
    """A C extension, as far as anybody can see."""

    def __init__(self, function: Any) -> None:
        self._call = staticmethod(function)

    def __call__(self, *arguments: Any) -> Any:
        return eval("f(*a)", {"f": self._call, "a": arguments})


def solve_vjp(y_bar, y, matrix, b):
    w = np.linalg.solve(matrix.T, y_bar)
    return -np.outer(w, y), w


def solve_jvp(dots, y, matrix, b):
    matrix_dot, b_dot = dots
    return np.linalg.solve(matrix, b_dot - matrix_dot @ y)


solve = custom(Opaque(np.linalg.solve), vjp=solve_vjp, jvp=solve_jvp)
opaque_solve = Opaque(np.linalg.solve)


@custom(vjp=Opaque(solve_vjp), jvp=Opaque(solve_jvp))
def hidden(matrix, b):
    return opaque_solve(matrix, b)


def looped(x):
    s = 0.0
    for k in range(3):
        if k != 1:
            s += root(x * (k + 1.0)) ** 2 * x
    return s


def reverse_only(x):
    return np.sin(reverse_root(x * x + 1.0))


def squares(matrix, b):
    return np.sum(solve(matrix, b * b) ** 2)


def hidden_squares(matrix, b):
    return np.sum(hidden(matrix, b * b) ** 2)


@dataclasses.dataclass
class Spring:
    stiffness: Any

    @custom(vjp=lambda y_bar, y, self, x: (Spring(y_bar * x**2), 2.0 * y_bar * self.stiffness * x))
    def energy(self, x):
        return self.stiffness * x**2


def stretched(k, x):
    spring = Spring(k * k)
    return spring.energy(np.sin(x)) + spring.energy(2.0 * x)


@custom(vjp=lambda bars, y, z, power: ((bars["re"], bars["im"][0] * power), None))
def parts(z, power=2):
    return {"re": 1.0 * z[0], "im": [power * z[1]]}


def structured(x):
    both = parts((x * x, 3.0 * x), power=2)
    return both["re"] * both["im"][0]


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (looped, (2.0,)),
        (reverse_only, (0.7,)),
        (squares, (MATRIX, VECTOR)),
        (hidden_squares, (MATRIX, VECTOR)),
    ],
)
def test_both_modes(function, args):
    check_grads(function, *args)


def test_second_order():
    assert np.isclose(hessian(reverse_only)(0.7), grad(grad(reverse_only))(0.7))
    by_forward = hessian(squares, wrt=1)(MATRIX, VECTOR)
    assert np.allclose(by_forward, by_forward.T)
    assert np.allclose(by_forward, jacobian(grad(squares, wrt=1), wrt=1)(MATRIX, VECTOR))


def test_methods_and_structures():
    value, (k_bar, x_bar) = value_and_grad(stretched, wrt=(0, 1))(1.5, 0.4)
    assert np.isclose(value, 1.5**2 * (np.sin(0.4) ** 2 + 0.8**2))
    assert np.isclose(k_bar, 3.0 * (np.sin(0.4) ** 2 + 0.8**2))
    assert np.isclose(x_bar, 1.5**2 * (np.sin(0.8) + 8.0 * 0.4))
    assert np.isclose(grad(structured)(1.5), 18.0 * 1.5**2)


def test_an_adjoint_has_the_dtype_of_its_argument():
    scaled = custom(lambda x: 2.0 * x, vjp=lambda y_bar, y, x: 2.0 * np.asarray(y_bar, float))
    gradient = grad(lambda x: np.sum(scaled(x)))(np.ones(3, np.float32))
    assert gradient.dtype == np.float32 and np.all(gradient == 2.0)


def test_derivatives_of_one_function_do_not_mix():
    def same(x):
        return x

    double = custom(same, vjp=lambda y_bar, y, x: 2.0 * y_bar)
    triple = custom(same, vjp=lambda y_bar, y, x: 3.0 * y_bar)
    assert grad(lambda x: double(x) + 10.0 * triple(x) + 100.0 * same(x))(1.0) == 132.0


def test_it_stays_what_it_was():
    assert root(4.0) == newton(4.0)
    assert (root.__name__, root.__module__) == ("newton", __name__)
    assert pickle.loads(pickle.dumps(parts)) is parts


def test_the_missing_direction_is_named():
    with pytest.raises(MissingRuleError, match="has no vjp, which reverse mode needs") as found:
        grad(lambda x: forward_root(x))(2.0)
    assert "pass vjp=..., a function of (y_bar, y, a)" in str(found.value)
    no_jvp = custom(newton, vjp=Opaque(root_vjp))
    with pytest.raises(MissingRuleError, match="has no jvp, which forward mode needs"):
        jvp(lambda x: no_jvp(x), (2.0,), (1.0,))


@pytest.mark.parametrize(
    "crooked",
    [
        lambda g, y, x: np.clip(g, -1.0, 1.0),
        lambda g, y, x: np.sign(g),
        lambda g, y, x: g * g,
        lambda g, y, x: g if g > 0 else 0.0 * g,
        lambda g, y, x: g * (abs(g) > 1.0),
    ],
)
def test_a_tangent_is_derived_of_linear_functions_only(crooked):
    same = custom(lambda x: 1.0 * x, vjp=crooked)
    grad(lambda x: same(x * x))(2.0)
    with pytest.raises(MissingRuleError, match="not known to be linear"):
        jvp(lambda x: same(x * x), (2.0,), (1.0,))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda g, y, a, b: (None, None),
        lambda g, y, a, b: (np.ones(3), b),
        lambda g, y, a, b: (1j * a, b),
        lambda g, y, a, b: (a, b, b),
        lambda g, y, a, b: 0.0 * g[0],
    ],
)
def test_adjoints_that_do_not_fit_are_refused(wrong):
    wrongly = custom(lambda a, b: opaque_solve(a, b), vjp=Opaque(wrong))
    with pytest.raises((ValueError, TypeError), match="custom derivative|unpack"):
        grad(lambda a, b: np.sum(wrongly(a, b)))(MATRIX, VECTOR)


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ({}, "no derivative of"),
        ({"vjp": lambda g, x: g}, "called as vjp(y_bar, y, a)"),
        ({"jvp": lambda: 0.0}, "called as jvp(x_dot, y, a)"),
        ({"vjp": 3}, "not a function"),
    ],
)
def test_it_is_checked_when_it_is_made(arguments, what):
    with pytest.raises(TemplateError) as found:
        custom(newton, **arguments)
    assert what in str(found.value)
    with pytest.raises(TemplateError, match="parameters of"):
        custom(lambda *x: x, vjp=lambda *x: x)


@custom(vjp=lambda y_bar, y, x, k: (100.0 * y_bar, y_bar * k))
def told(x, *, k=3.0):
    return x * x * k


def test_derivatives_of_the_function_itself_are_those_given():
    """Not those of its source, and not only where it is called by another function."""
    through = lambda x, k=3.0: told(x, k=k)  # noqa: E731
    for function in (told, through):
        assert grad(function)(2.0) == 100.0
        assert grad(function, wrt=("x", "k"))(2.0, k=5.0) == (100.0, 5.0)
        assert jvp(function, (2.0,), (1.0,)) == (12.0, 100.0)
    assert "told_vjp(1.0, told(x, k=k), x, k)" in grad(told).source_for(2.0)
    opaque = custom(math.exp, vjp=lambda y_bar, y, x: 7.0 * y_bar)
    assert grad(opaque)(0.0) == 7.0
    assert grad(grad(opaque))(0.0) == 0.0
