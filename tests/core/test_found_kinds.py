"""Small programs that once were wrong: what a value is, and what raises which error."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import grad, jacfwd, jvp, linearize
from autodiff.errors import NonDifferentiableError
from tests.core.judge import judge

MODES = ("grad", "value_and_grad", "jvp")


def rows_of_different_lengths(x, y):
    return np.prod(np.concatenate([[x], [2.0, y]])) + np.hstack([(x, y), [y]])[2]


def signs_of_a_list(x, y):
    return np.sign([x, -y]).sum() * x * y


def angles_of_real_numbers(x, y):
    return np.sum(np.angle(np.array([x, -y]))) * x + cmath.phase(-y) * x


def complex_on_one_path_of_a_loop(x, y):
    z = x
    for k in range(2):
        z = z * (1j if k else y)
    return z.imag * y


def larger_ones_at_places(x, y):
    z = np.ones(3) * x
    np.maximum.at(z, [0, 0, 1], np.array([y, 0.5, y]))
    return np.sum(z * z)


def an_open_grid(x, y):
    return np.sum(np.ogrid[0:3] * x * y)


@pytest.mark.parametrize(
    "program",
    [
        rows_of_different_lengths,
        signs_of_a_list,
        angles_of_real_numbers,
        complex_on_one_path_of_a_loop,
        larger_ones_at_places,
        an_open_grid,
    ],
    ids=lambda f: f.__name__,
)
def test_right(program: Callable[..., Any]) -> None:
    assert judge(program, [(0.8, 1.7)], ("x", "y"), MODES).what == "right"
    assert type(grad(program)(0.8, 1.7)) in (float, np.float64)
    slope = jacfwd(program)(0.8, 1.7)
    assert np.isrealobj(slope)
    np.testing.assert_allclose(slope, grad(program)(0.8, 1.7))


@pytest.mark.parametrize(
    "chosen", [np.nanmax, np.nanmin, np.nanmedian, lambda a: np.nanquantile(a, 0.4)]
)
def test_what_is_no_number_is_left_out(chosen: Any) -> None:
    def function(x, a):
        return chosen(a * x)

    a = np.array([np.nan, 1.0, 2.0])
    expected = function(2.0, a) - function(1.0, a)
    np.testing.assert_allclose(grad(function)(0.8, a), expected)
    np.testing.assert_allclose(jvp(function, (0.8, a), (1.0, None))[1], expected)


@pytest.mark.parametrize(
    "asked",
    [
        lambda s: len(s),
        lambda s: s[1],
        lambda s: list(s)[1],
        lambda s: (lambda a, b, c: b)(*s),
        lambda s: [v for v in s if v][0],
    ],
)
def test_a_slice_holds_nothing(asked: Any) -> None:
    def function(x):
        return asked(slice(0, 2)) * x

    with pytest.raises(TypeError):
        grad(function)(0.8)


def test_errors_say_what_they_say_in_python() -> None:
    def key(x):
        return {"k": x}["j"]

    def place(x):
        return [x][3]

    def item(x):
        return (x,)[3]

    def store(x):
        xs = [x]
        xs[3] = x
        return xs[0]

    def few(x):
        a, b, c = [x, x]
        return a

    for function in (key, place, item, store, few):
        with pytest.raises((LookupError, ValueError)) as own:
            function(0.8)
        with pytest.raises(own.type) as found:
            grad(function)(0.8)
        said, wanted = (str(each.value.args[0]) for each in (found, own))
        assert said.partition("\nin the derivative of")[0] == wanted  # a note, in Python 3.10


def test_a_power_of_math_has_no_complex_derivative() -> None:
    with pytest.raises(NonDifferentiableError, match="complex"):
        grad(lambda x: math.pow(-x, 0.5))(0.8)


def test_the_order_in_memory_counts() -> None:
    def function(a):
        return np.sum(np.arange(6) * a.ravel(order="K"))

    a = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    assert linearize(function, a)[0] == function(a)
    with pytest.raises(NonDifferentiableError, match="order='K'"):
        grad(function)(np.zeros((2, 6))[:, ::2])


unnamed = lambda x, y: np.array([x * y, x + y, np.sin(x) * np.cos(y) * np.exp(x)])  # noqa: E731


def test_functions_without_a_name_are_called_from_several_places() -> None:
    def function(x, y):
        parts = unnamed(x, y) * unnamed(y, x) + unnamed(x, x)
        return np.sum(parts) + np.prod(unnamed(2.0 * x, y))

    assert judge(function, [(0.8, 1.7)], ("x", "y"), MODES).what == "right"
