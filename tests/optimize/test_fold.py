"""Expressions before and after simplification."""

from __future__ import annotations

import ast
from dataclasses import replace

import gast
import pytest

from autodiff.optimize.fold import fold
from autodiff.optimize.simplify import simplify
from tests.optimize.running import check, facts_of, is_inexact, tree_of


def simplified(text: str) -> str:
    expression = simplify(gast.parse(text).body[0].value, is_inexact)
    return ast.unparse(gast.gast_to_ast(expression))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("2 - 1", "1"),
        ("1 - 2", "-1"),
        ("2 * 0.5", "1.0"),
        ("7 // 2 + 7 % 4", "6"),
        ("2.0 ** 3", "8.0"),
        ("x ** (2 - 1)", "x"),
        ("2 * x ** (2 - 1)", "2 * x"),
        ("1.0 * x", "x"),
        ("x * 1.0 / 1", "x"),
        ("k ** 1", "k"),
        ("x * -1.0", "-x"),
        ("-1 * x", "-x"),
        ("x / -1", "-x"),
        ("-(-x)", "x"),
        ("x + -y", "x - y"),
        ("x - -y", "x + y"),
        ("x + -y * z", "x - y * z"),
        ("x + y * -z", "x - y * z"),
        ("x - y / -z", "x + y / z"),
        ("x + -2.0 * z", "x - 2.0 * z"),
        ("x - 0.0", "x"),
        ("np.where(True, x, 0.0)", "x"),
        ("np.where(2 == 0, 0.0, x ** (2 - 1))", "x"),
        ("np.where(1 != 1, x, x)", "x"),
        ("None is None", "True"),
        ("1.0 is None", "False"),
        ("1.0 is not None", "True"),
        ("not True", "False"),
        ("True and x", "x"),
        ("x and True and y", "x and y"),
        ("False or x", "x"),
        ("x and False and y", "x and False"),
        ("1 if 2 < 3 else k", "1"),
        ("'a' == 'b'", "False"),
    ],
)
def test_simpler(before: str, after: str) -> None:
    assert simplified(before) == ast.unparse(ast.parse(after))


@pytest.mark.parametrize(
    "text",
    [
        "1 / 3",
        "1 / 0",
        "2 ** 1000",
        "1e+300 * 1e+300",
        "(-1) ** 0.5",
        "0 * x",
        "0.0 * x",
        "1.0 * k",
        "k * -1.0",
        "k * 1",
        "k + -m",
        "-(-k)",
        "x + 0.0",
        "0.0 + x",
        "0.0 - x",
        "x - -0.0",
        "x ** 2",
        "x ** -1",
        "x is None",
        "1 is 1",
        "x == x",
        "np.where(True, k, 0.0)",
        "np.where(True, x, y)",
        "np.where(True, x, 1j)",
        "1 < 2 < x",
        "x and True",
        "lambda a: 1.0 * x",
    ],
)
def test_left_alone(text: str) -> None:
    expression = gast.parse(text).body[0].value
    assert simplify(expression, is_inexact) is expression


def test_a_zero_of_the_compiler_goes() -> None:
    expression = gast.parse("x + 0.0").body[0].value
    expression.right.introduced = True
    assert ast.unparse(gast.gast_to_ast(simplify(expression, is_inexact))) == "x"


def test_statements() -> None:
    tree = tree_of(
        """
        def f(x, a_bar):
            x += -x * 2.0
            a_bar[2 - 1] -= -x
            while False:
                x = 1
            if None is None:
                y = x
            else:
                y = 2
            if 1 > 2:
                return 1
            for i in range(2 - 1):
                if True:
                    pass
            return y
        """
    )
    check(
        fold(tree, facts_of()),
        """
        def f(x, a_bar):
            x -= x * 2.0
            a_bar[1] += x
            y = x
            for i in range(1):
                pass
            return y
        """,
    )


def test_no_alias_comes_out_of_a_new_array() -> None:
    """`a_bar = 1.0 * a` is new, and may be updated in place; a number has no identity."""
    tree = tree_of(
        """
        def f(a, s):
            a_bar = 1.0 * a
            a_bar[0] = 2.0
            s_bar = 1.0 * s
            b_bar = 1.0 * a + s
            return 1.0 * (a + s)
        """
    )
    check(
        fold(tree, facts_of()),
        """
        def f(a, s):
            a_bar = 1.0 * a
            a_bar[0] = 2.0
            s_bar = s
            b_bar = a + s
            return a + s
        """,
    )


def test_of_what_a_sum_is_fitted_to_no_copy_is_needed() -> None:
    facts = replace(facts_of(), fits=lambda call: getattr(call.func, "id", "") == "fit")
    tree = tree_of("def f(a, x):\n    return fit(x, a[1:].copy()) + other(x, a.copy())\n")
    check(fold(tree, facts), "def f(a, x):\n    return fit(x, a[1:]) + other(x, a.copy())\n")


def test_an_item_of_what_is_written_out() -> None:
    facts = replace(facts_of(), makes=lambda call: call.func.attr == "sign", signed=lambda e: True)
    tree = tree_of(
        """
        def f(a, x):
            y = (a, x)[1]
            z = {"a": a, "x": x}["x"]
            u = {"a": f(a), "x": x}["x"]
            v = {**a, "x": x}["x"]
            return np.sign(x).copy(), np.real(x).copy()
        """
    )
    check(
        fold(tree, facts),
        """
        def f(a, x):
            y = x
            z = x
            u = {"a": f(a), "x": x}["x"]
            v = {**a, "x": x}["x"]
            return np.sign(x), np.real(x).copy()
        """,
    )
