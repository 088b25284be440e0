"""Calls into packages: functions of other modules, which read what stands there."""

from __future__ import annotations

import math

import numpy as np
import pytest

from autodiff import grad
from tests.core import packaged
from tests.core.differences import check

A = np.array([0.5, 0.3, -0.6])


def limited(x):
    return packaged.by_limit(x, "turbulent") + packaged.by_limit(x / 2.0, "laminar")


@pytest.mark.parametrize("x", [1000.0, 3000.0])
def test_a_number_of_another_module_in_an_expression_that_stays_whole(monkeypatch, x):
    check(monkeypatch, limited, x)


def many(x):
    return packaged.polynomial(x / 3.0, packaged.FACTORS)


def many_until(x):
    return packaged.first_above(x, 2.0) * x


def known_ways(x):
    total = 0.0
    for way in ("mixed", "unknown", "way 3"):
        total = total * x + packaged.in_a_known_way(x, way)
    return total


@pytest.mark.parametrize("function", [many, many_until, known_ways])
def test_long_lists_and_sets_of_another_module(monkeypatch, function):
    check(monkeypatch, function, 1.3)


def test_what_a_set_of_outside_holds_is_watched(monkeypatch):
    asked = {"a"}
    held = dict.fromkeys(range(200))

    def program(x):
        return x * x if "a" in asked else x * x * x if 7 in held else x

    check(monkeypatch, program, 1.3)
    asked.clear()
    check(monkeypatch, program, 1.3)
    del held[7]
    check(monkeypatch, program, 1.3)
    asked = {"a"}
    check(monkeypatch, program, 1.3)
    assert grad(program)(1.3) == 2.6


def test_a_derivative_that_is_kept_watches_what_a_set_holds():
    asked = {"a"}

    def program(x):
        return x * x if "a" in asked else x * x * x

    derivative = grad(program)
    assert derivative(2.0) == 4.0
    asked.clear()
    assert derivative(2.0) == 12.0


def of_a_sequence(a):
    return packaged.norm(a) + packaged.norm([a[0], a[1]]) * packaged.norm(a[2])


def of_one_element(a):
    return packaged.norm(a[:1] * 2.0) + packaged.norm(a[1:])


def of_the_right_kind(a):
    return packaged.of_floats(a) + packaged.of_floats([a[0], 2.0])


def of_what_is_scalar(a):
    return packaged.shaped(a, A) + packaged.shaped(a[:1], a[1]) + packaged.shaped(a[:1], 2.0)


def of_a_text(a):
    told = "{:.0f} of {}".format(a[0] * 0.0 + 2.0, len(a))
    return np.sum(a * a) if told == "2 of 3" else np.sum(a)


@pytest.mark.filterwarnings("ignore:Conversion of an array:DeprecationWarning")  # to a number
@pytest.mark.parametrize(
    "function", [of_a_sequence, of_one_element, of_the_right_kind, of_what_is_scalar, of_a_text]
)
def test_what_is_asked_of_arguments(monkeypatch, function):
    check(monkeypatch, function, A)


@pytest.mark.parametrize("x", [0.5, -0.5, -1.5])
def test_none_beside_a_number(monkeypatch, x):
    check(monkeypatch, lambda x: packaged.by_region(x) * x, x)


def all_are_numbers(a):
    return np.sum(packaged.checked(a) ** 2) * packaged.checked([a[0], 2.0])[0]


def raised_again(a):
    x, y = packaged.mean(np.outer(a, a[:2]) + 1.0, a)
    return np.sum(x) + np.sum(y)


def raised_again_in_a_loop(a):
    total = 0.0
    for k in range(3):
        x, y = packaged.mean(np.outer(a, a[:2]) * total + 1.0, a)
        total = total + np.sum(x) * np.sum(y)
    return total


def caught_outside(a):
    total = a[0]
    for count in (3, 4):
        rows = [a[0]] * count
        try:
            total = total * packaged.partly(a[1], rows)
        except ValueError:
            total = total + a[2]
    return total


def of_a_library_that_is_there(a):
    return packaged.with_or_without(a) * packaged.with_or_without(a[:2])


def of_named(a):
    total = 0.0
    for k in range(2):
        total = total * a[k] + np.sum(packaged.axis_of(axis=a * total + a) ** 2)
    return total


def by_which_function(a):
    found = packaged.residual(a, 2.0) * packaged.residual(a, a[1], np.subtract)
    return np.sum(found * packaged.residual(a, 1.0, np.multiply) * packaged.residual(a, a, np.add))


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(all_are_numbers, marks=pytest.mark.followed),
        of_a_library_that_is_there,
        of_named,
        by_which_function,
        raised_again,
        raised_again_in_a_loop,
        caught_outside,
    ],
)
def test_errors_that_say_more(monkeypatch, function):
    check(monkeypatch, function, A)


def test_functions_that_numba_compiled(monkeypatch):
    numba = pytest.importorskip("numba")
    jitted = numba.njit(lambda x: x * x * math.sin(x))
    ufunc = numba.vectorize(lambda x, y: x * y if x > 0.0 else y)

    def program(a):
        return jitted(a[0]) * ufunc(a[1], 2.0) + np.sum(ufunc(a, a[2]) * jitted(a[1]))

    check(monkeypatch, program, A)


def none_or_an_array(a):
    found = packaged.two_of(a)
    return np.sum(found * a[:2])


def test_none_where_an_array_is_wanted(monkeypatch):
    check(monkeypatch, none_or_an_array, A)
    with pytest.raises(TypeError):
        grad(none_or_an_array)(A[:2])


def numbers_at_a_truth_value(a):
    found = packaged.where_it_may_be_divided(a[0]) * packaged.where_it_may_be_divided(a[1], False)
    return np.sum(found * packaged.where_it_may_be_divided(a)) + np.sum(a[a[0] > 0.0] ** 2)


def stored_at_a_truth_value(a):
    b = a * 1.0
    for k in range(3):
        b[a[k] > 0.0] *= a[k]
        b[bool(k)] = b[k > -1][0] * b + a[0]
    return np.sum(b)


@pytest.mark.parametrize("function", [numbers_at_a_truth_value, stored_at_a_truth_value])
def test_truth_values_as_indices(monkeypatch, function):
    check(monkeypatch, function, A)


def of_variables(a):
    return packaged.spread_of(a[0], a[1]) * packaged.spread_of(a[2], 2.0)


def test_keys_whose_hash_is_their_identity(monkeypatch):
    check(monkeypatch, of_variables, A)


def of_a_class(a):
    return packaged.Water(a[0]).energy() * packaged.Water(a[2]).energy() + a[1]


def test_containers_that_a_class_has(monkeypatch):
    check(monkeypatch, of_a_class, A)
    derivative = grad(of_a_class)
    before = derivative(A)
    monkeypatch.setitem(packaged.Water.constants, "r", 16.6)
    np.testing.assert_allclose(derivative(A)[0], 4.0 * before[0])
    monkeypatch.setattr(packaged.Water, "constants", {"r": 8.3, "n": [0.5, 2.0], "m": 4.0})
    np.testing.assert_allclose(derivative(A)[0], before[0] / 4.0)
    monkeypatch.setattr(packaged.Water, "powers", [2, 1, 3])
    check(monkeypatch, of_a_class, A)


def compared_with_none(a):
    return packaged.limited_by(a[0]) * packaged.limited_by(a[1], 0.2) + packaged.limited_by(a[2])


def test_none_is_not_less_than_a_number(monkeypatch):
    check(monkeypatch, compared_with_none, A)
