"""Quotients of a number and its square root."""

from __future__ import annotations

import math
import textwrap

import gast
import numpy as np
import pytest

from autodiff import check_grads, grad, value_and_grad
from autodiff.optimize.facts import Facts
from autodiff.optimize.roots import roots
from tests.optimize.running import (
    is_double,
    is_inexact,
    is_scalar,
    is_wide,
    shape_of,
    text_of,
    tree_of,
)

FACTS = Facts(
    frozenset(("y_bar", "x_bar", "t")),
    pure=lambda call: True,
    scalar=is_scalar,
    inexact=is_inexact,
    signed=lambda node: True,
    double=is_double,
    wide=is_wide,
    shape=shape_of,
)


def function(ahead: str, back: str) -> gast.FunctionDef:
    body = f"{ahead}\n'Reverse sweep'\n{back}\nreturn x_bar\n"
    return tree_of("def f(x, z, a, y_bar, n):\n" + textwrap.indent(body, "    "))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x_bar = y_bar * x / (2 * s)", "x_bar = 0.5 * y_bar * s"),
        ("x_bar += x * y_bar / s", "x_bar += s * y_bar"),
        ("x_bar = z + y_bar * (x * z / s)", "x_bar = z + y_bar * s * z"),
        ("x_bar = y_bar * x / (z * s)", "x_bar = y_bar * s / z"),
        ("x_bar = y_bar * x / (s / z)", "x_bar = y_bar * s * z"),
        ("x_bar = y_bar * x * x / s / s", "x_bar = y_bar * s * s"),
        ("x_bar = y_bar * x / (3 * s)", "x_bar = y_bar * s / 3"),
        ("x_bar = y_bar / (2 * s)", None),
        ("x_bar = y_bar * z / (2 * s)", None),
        ("x_bar = y_bar * (s / x)", None),
        ("x_bar = y_bar * np.cos(x / s)", None),  # whose argument may be a bound
        ("x_bar = y_bar if x / s > 1 else z", None),
        ("t = x / s", None),  # a value of the primal's that is computed again
        ("x = x + 1.0\nx_bar = y_bar * x / s", None),
        ("s = s + 1.0\nx_bar = y_bar * x / s", None),
        ("for k in range(n):\n    x_bar = y_bar * x / s\n    x = x_bar", None),
    ],
)
def test_quotients(before: str, after: str | None) -> None:
    tree = function("s = np.sqrt(x)", before)
    expected = function("s = np.sqrt(x)", after or before)
    compare(roots(tree, FACTS), expected)


def compare(found: gast.FunctionDef, expected: gast.FunctionDef) -> None:
    found, expected = (tree_of(text_of(tree)) for tree in (found, expected))
    assert text_of(found) == text_of(expected)


@pytest.mark.parametrize(
    ("ahead", "back"),
    [
        ("s = np.sqrt(x + 1.0)", "x_bar = y_bar * x / s"),
        ("s = sqrt(x)", "x_bar = y_bar * x / s"),  # some function that has this name
        ("s = np.sqrt(x, z)", "x_bar = y_bar * x / s"),
        ("s = np.cbrt(x)", "x_bar = y_bar * x / s"),
        ("s = math.sqrt(n)", "x_bar = y_bar * n / s"),  # of fewer bits than the root, perhaps
        ("ar = np.sqrt(a)", "x_bar = a / ar"),  # would be another name for the root
        ("s = np.sqrt(x)\nz = x / s", "x_bar = y_bar * z"),  # the forward sweep
    ],
)
def test_left_alone(ahead: str, back: str) -> None:
    tree = function(ahead, back)
    assert roots(tree, FACTS) is tree


def cubed_root(x):
    return x * math.sqrt(x)


def weighted(x, c):
    s = np.sqrt(x)
    return np.sum(c * x * s)


def distances(x):
    total = 0.0
    for k in range(len(x) - 1):
        d2 = (x[k + 1] - x[k]) ** 2
        total += d2 * math.sqrt(d2)
    return total


def test_limits() -> None:
    """Where the quotient is 0 / 0 the derivative is its limit."""
    assert grad(cubed_root)(0.0) == 0.0
    assert "/" not in grad(cubed_root).source_for(1.0)
    np.testing.assert_array_equal(grad(weighted)(np.array([0.0, 4.0]), np.ones(2)), [0.0, 3.0])
    np.testing.assert_array_equal(grad(distances)(np.array([1.0, 1.0, 3.0])), [0.0, -12.0, 12.0])
    with pytest.raises(ValueError, match="math domain"):
        grad(cubed_root)(-1.0)


def test_numbers() -> None:
    x = np.array([0.7, 1.9, 0.3])
    check_grads(weighted, x, x[::-1].copy(), order=2)
    check_grads(distances, x, order=1)
    value, own = value_and_grad(distances)(x)
    plain, other = value_and_grad(distances, roots=False)(x)
    assert value == plain
    np.testing.assert_allclose(own, other, rtol=1e-14)
