"""Recursion that ends by what is known while compiling (`lower/entries/callables.py`)."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad
from tests.core.judge import Verdict, core_alone, judge

Y = np.array([0.7, 0.4, 1.2])
TREE = (0.5, ((1.5, -0.3), 0.8))


def power(x, n):
    return 1.0 if n == 0 else x * power(x, n - 1)


def down_from_a_number(x):
    return power(x, 3) * power(x * x, 2)


def leaves(node, x):
    if isinstance(node, tuple):
        left, right = node
        return leaves(left, x) * leaves(right, x) + x
    return np.sin(node * x)


def over_a_tree(x, tree):
    return leaves(tree, x)


def even(x, n):
    return x if n == 0 else np.sin(odd(x, n - 1)) + x


def odd(x, n):
    return x * x if n == 0 else x * even(x, n - 1)


def two_that_call_each_other(x):
    return even(x, 3) * odd(x, 2)


def doubled(u, n):
    u[n] *= 2.0 * u[n - 1]
    return u[0] if n == 0 else doubled(u, n - 1) * u[n]


def changes_what_it_is_given(x):
    y = x * 1.0
    return doubled(y, 2) * np.sum(y * x)


def put(table, value, n):
    table["v"] = table["v"] * value
    return 2.0 if n == 0 else put(table, value * value, n - 1)


def changes_a_dict(x):
    table = {"v": x[1]}
    return put(table, x[0], 2) * table["v"] * x[2]


def in_loops_and_branches(x, n):
    if n == 0:
        return x
    for k in range(2):
        if x > 0.5:
            x = x * in_loops_and_branches(x * 0.9, n - 1)
        else:
            x = x * 1.1 + k
    return x


def unfolds_in_loops(x):
    return in_loops_and_branches(x, 2)


def with_state(x):
    c = x

    def part(n):
        return c if n == 0 else c * part(n - 1)

    total = part(2)
    c = c * x
    return total * part(1)


def given_a_function(x):
    def blocks(f, lo, hi, n):
        if n == 0:
            return f(0.5 * (lo + hi)) * (hi - lo)
        mid = 0.5 * (lo + hi)
        return blocks(f, lo, mid, n - 1) + blocks(f, mid, hi, n - 1) * x

    return blocks(lambda t: x * t * t, 0.0, x, 2)


NUMBERS = [down_from_a_number, two_that_call_each_other, unfolds_in_loops, with_state]


@pytest.mark.parametrize("function", [*NUMBERS, given_a_function], ids=lambda f: f.__name__)
def test_of_numbers(function):
    assert judge(function, [(0.7,), (1.3,)], ("x",)) == Verdict("right")


@pytest.mark.parametrize(
    "function", [changes_what_it_is_given, changes_a_dict], ids=lambda f: f.__name__
)
def test_of_memory(function):
    assert judge(function, [(Y,)], ("x",)) == Verdict("right")


def test_over_a_tree():
    step = 1e-6
    with core_alone():
        for tree in (TREE, 0.4, (0.5, -0.3)):
            slope = (over_a_tree(0.7 + step, tree) - over_a_tree(0.7 - step, tree)) / (2 * step)
            assert np.isclose(grad(over_a_tree, wrt="x")(0.7, tree), slope)
        slopes = grad(over_a_tree, wrt=("tree",))(0.7, (0.5, (-0.3, 0.8)))
    inner = np.sin(-0.21) * np.sin(0.56) + 0.7
    want = [np.cos(0.35) * inner]
    want += [
        np.sin(0.35) * np.cos(-0.21) * np.sin(0.56),
        np.sin(0.35) * np.sin(-0.21) * np.cos(0.56),
    ]
    assert np.allclose([slopes[0][0], *slopes[0][1]], np.multiply(0.7, want))


def endless(x, n):
    return x if x > 1e3 else endless(x * 2.0, n + 1)


def many(x, n):
    return x if n < 2 else many(x, n - 1) * many(x, n - 2)


def too_deep(x):
    return endless(x, 0)


def too_many(x):
    return many(x, 9)


def deep_in_loops(x):
    return in_loops_and_branches(x, 12)


@pytest.mark.parametrize("function", [too_deep, too_many, deep_in_loops], ids=lambda f: f.__name__)
def test_beyond_bounds_it_is_called(function):
    with core_alone():
        text = grad(function).source_for(0.7)
    called, definition = text.count("_vjp("), text.count("def ")
    assert "_vjp(x, n):" in text
    assert called > 1
    assert definition < 5


def test_reads_like_the_bodies_within_each_other():
    with core_alone():
        text = grad(over_a_tree, wrt=("x",)).source_for(0.7, (0.5, -0.3))
    assert "recursion" not in text and "isinstance" not in text
    assert text.count("np.cos(") == 2
