"""Functions that stay functions: one text for one set of kinds, called with its pullback."""

from __future__ import annotations

import math

import numpy as np
import pytest

from autodiff import grad
from tests.core.judge import Verdict, core_alone, judge

P = np.array([1.0, 0.5, 0.3, 0.2])
Y = np.array([0.7, 0.4])


def rhs(y, p):
    u, v = y[0], y[1]
    return np.array([p[0] * u - p[1] * u * v, p[2] * u * v - p[3] * np.sin(v) * v])


def runge_kutta(p, y, h, n):
    for _ in range(n):
        k1 = rhs(y, p)
        k2 = rhs(y + h / 2 * k1, p)
        k3 = rhs(y + h / 2 * k2, p)
        k4 = rhs(y + h * k3, p)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return np.sum(y**2)


def long_helper(x, s):
    a = np.sin(x) * s
    b = np.cos(x) + s * a
    c = np.exp(-b) * a + b * x
    return c * s + a * b * c


def number_and_array(x, s):
    return np.sum(long_helper(x, s)) * long_helper(s, 2.0) + np.sum(long_helper(x, 0.5))


def in_branches(x, s):
    if s > 0.1:
        y = long_helper(x, s)
    else:
        y = x * 2.0
    for k in range(2):
        y = y + long_helper(y, s) * x[k]
    return np.sum(y)


def inactive(x, s):
    c = long_helper(0.3, 0.2) + long_helper(0.1, 0.4)
    return c * s * np.sum(x)


def by_name(x, s):
    return np.sum(long_helper(s=x[0], x=x)) * long_helper(s=s, x=x[1]) + np.sum(
        long_helper(x, s=2.0)
    )


def small(x):
    return x * x


def small_ones_are_inlined(x, s):
    return np.sum(small(x)) + small(s)


def writes(v, s):
    v[0] *= s
    w = np.sin(v) * s + v * v
    return w * np.cos(w) + np.exp(-w) * v


def what_changes_its_argument_is_inlined(x, s):
    y = x * 1.0
    return np.sum(writes(y, s)) + np.sum(writes(y, s * s))


@pytest.mark.parametrize(
    "function",
    [
        *(number_and_array, by_name, in_branches, inactive, small_ones_are_inlined),
        what_changes_its_argument_is_inlined,
    ],
    ids=lambda f: f.__name__,
)
def test_right_in_all_modes(function):
    assert judge(function, [(Y, 0.3)], ("x", "s")) == Verdict("right")


def test_runge_kutta_reads_as_four_calls():
    assert judge(runge_kutta, [(P, Y, 0.1, 3)], ("p", "y")) == Verdict("right")
    with core_alone():
        text = grad(runge_kutta, wrt=("p", "y")).source_for(P, Y, 0.1, 3)
    assert text.count("def rhs_vjp(y, p):") == 1
    assert text.count("= rhs_vjp(") == 4
    assert "tape.push((k1_pullback, k2_pullback, k3_pullback, k4_pullback))" in text


def test_small_functions_are_inlined():
    with core_alone():
        assert "small_vjp" not in grad(small_ones_are_inlined).source_for(Y, 0.3)


def test_one_function_for_one_set_of_kinds():
    with core_alone():
        text = grad(number_and_array, wrt=("x", "s")).source_for(Y, 0.3)
    assert text.count("def long_helper_vjp") == text.count('"""Value and pullback of long_helper')
    assert 2 <= text.count("def long_helper_vjp") <= 3


def halves(x):
    n = len(x)
    if n == 1:
        return x[0] ** 2
    return halves(x[: n // 2]) * 0.5 + halves(x[n // 2 :]) * x[0]


def scaled_sum(x, y, n):
    return np.sum(y * x) if n == 0 else scaled_sum(x, y, n - 1) * y[0] * x[1]


def memory_changes_after_a_recursion(x, m):
    y = x * m
    total = 0.0
    for k in range(m):
        total = total + scaled_sum(y, y[:] if total > 1e9 else y, k)
        y[k] = y[k] * total
    return total


def memory_changes_after_a_call(x, s):
    y = x * 1.0
    total = 0.0
    for k in range(2):
        total = total + np.sum(long_helper(y, s)) * np.sum(long_helper(y, x[0]))
        y[k] = y[k] * total
    return total


def test_pullbacks_keep_what_memory_held():
    assert judge(memory_changes_after_a_call, [(Y, 0.3)], ("x", "s")) == Verdict("right")
    assert judge(memory_changes_after_a_recursion, [(Y, 2)], ("x",)) == Verdict("right")


def powers(x, n):
    return 1.0 if n == 0 else x * powers(x, n - 1)


def of_a_number(x, n):
    return powers(x, n) * powers(x * x, 2)


def even(x, n):
    return x if n == 0 else np.sin(odd(x, n - 1)) + x


def odd(x, n):
    return x * x if n == 0 else x * even(x, n - 1)


def each_other(x, n):
    return even(x, n) * odd(x, n)


def by_data(x, n):
    return x * x * n if x < 1 else 0.5 * by_data(x - 1, n) * x


def over_a_loop(x, n):
    if n == 0:
        return x * x
    total = 0.0
    for k in range(n):
        total = total + over_a_loop(x * 0.5, k) * x
    return total


@pytest.mark.parametrize(
    "function",
    [of_a_number, each_other, by_data, over_a_loop],
    ids=lambda function: function.__name__,
)
def test_recursion(function):
    assert judge(function, [(0.7, 4), (0.7, 0), (2.6, 1)], ("x",)) == Verdict("right")


def test_recursion_over_halves():
    assert judge(halves, [(Y,), (np.arange(1.0, 6.0),)], ("x",)) == Verdict("right")


def sums_from_an_array_on(x, m):
    return np.sum(sum(x, m) ** 2) + np.sum(sum(m, x) ** 2) + np.sum(sum([x, x[0]], m) ** 2)


def products_of_lists(x, m):
    return np.sum(math.prod([x, m]) + math.prod([], start=x) + math.prod([x[0], x[1]], start=x))


def product_of_numbers(x, m):
    return math.prod(x, start=x[0]) * np.sum(m)


@pytest.mark.parametrize(
    "function",
    [sums_from_an_array_on, products_of_lists, product_of_numbers],
    ids=lambda f: f.__name__,
)
def test_folds(function):
    m = np.array([[0.5, -0.3], [0.8, 1.2], [0.1, 0.9]])
    assert judge(function, [(Y, m)], ("x", "m")) == Verdict("right")


def test_a_product_of_rows_is_not_that_of_numbers():
    verdict = judge(lambda x, m: np.sum(math.prod(m)), [(Y, np.ones((3, 2)))], ("m",))
    assert verdict == Verdict("right")
