"""What both branches push, and tests that are made again."""

from __future__ import annotations

import math
import textwrap

import gast
import numpy as np
import pytest

from autodiff import check_grads, grad, hessian
from autodiff.optimize.common_pushes import common_pushes
from autodiff.optimize.retest import retest
from tests.optimize.running import check, facts_of, tree_of


def branches(then: str, orelse: str, then_back: str, else_back: str, test: str = "b") -> str:
    lines = ["def f(x, y, z, b):", "    if b:"]
    for sides, title in ((then, orelse), ""), ((then_back, else_back), f"    if {test}:"):
        lines += [title] if title else []
        lines += textwrap.indent(textwrap.dedent(sides[0]), " " * 8).splitlines()
        lines += ["    else:"]
        lines += textwrap.indent(textwrap.dedent(sides[1]), " " * 8).splitlines()
    return "\n".join(lines) + "\n"


def test_before_and_after() -> None:
    text = branches(
        "tape.push((x, y), 1)\nx = y", "z = y\ntape.push((x, y), 2)\ny = x",
        "x, y = tape.pop(1)\nx_bar = x", "y_bar = z\nx, y = tape.pop(2)",
    )  # fmt: skip
    check(
        common_pushes(tree_of(text), facts_of()),
        """
        def f(x, y, z, b):
            tape.push((x, y))
            if b:
                x = y
            else:
                z = y
                y = x
            x, y = tape.pop()
            if b:
                x_bar = x
            else:
                y_bar = z
        """,
    )


@pytest.mark.parametrize(
    "sides",
    [
        ("tape.push(x, 1)", "tape.push(y, 2)", "x = tape.pop(1)", "y = tape.pop(2)"),
        ("x = y\ntape.push(x, 1)", "tape.push(x, 2)", "x = tape.pop(1)", "x = tape.pop(2)"),
        ("tape.push(x, 1)", "tape.push(x, 2)", "y = x\nx = tape.pop(1)", "x = tape.pop(2)"),
        ("tape.push(x, 1)", "tape.push(x, 2)", "x = tape.pop(1)", "x = 1.0\nx = tape.pop(2)"),
        ("tape.push(x, 1)", "tape.push(x, 2)", "x = tape.pop(1)", "x = tape.pop(2)", "x"),
        ("tape.push(x * y, 1)", "tape.push(x * y, 2)", "x = tape.pop(1)", "x = tape.pop(2)"),
        (
            "tape.push(x, 1)", "tape.push(x, 2)\ntape.push(y, 3)",
            "x = tape.pop(1)", "y = tape.pop(3)\nx = tape.pop(2)",
        ),
        (
            "tape.push(x, 1)", "for k in z:\n    tape.push(x, 2)",
            "x = tape.pop(1)", "for k in z:\n    x = tape.pop(2)",
        ),
    ],
)  # fmt: skip
def test_others_stay(sides: tuple[str, ...]) -> None:
    tree = tree_of(branches(*sides))
    assert common_pushes(tree, facts_of()) is tree


def with_test(definition: str, between: str = "pass", pushed: str = "x, b") -> gast.FunctionDef:
    text = f"""
def f(x, y, z, b):
    {definition}
    {between}
    tape.push(({pushed}), 1)
    x = x * z
    {pushed} = tape.pop(1)
    return b
"""
    return tree_of(text)


def test_a_test_is_made_again() -> None:
    check(
        retest(with_test("b = x > y"), facts_of()),
        """
        def f(x, y, z, b):
            b = x > y
            pass
            tape.push(x)
            x = x * z
            x = tape.pop()
            b = x > y
            return b
        """,
    )
    tree = with_test("b = 0.5 <= x", pushed="b, x")
    assert retest(tree, facts_of()) is not tree


@pytest.mark.parametrize(
    "tree",
    [
        with_test("b = x * y"),
        with_test("b = 0.0 < x < y"),
        with_test("b = x > y * y"),
        with_test("b = x > a"),  # an array
        with_test("b = z > y"),  # not of what is pushed
        with_test("b = x > y", "x = z"),
        with_test("b = x > y", "b = z"),
        with_test("b = x > y", "y = z"),
        with_test("b = x > y", pushed="x, b, z"),
        with_test("b = x > limit"),  # a global name
    ],
)
def test_others_are_recorded(tree: gast.FunctionDef) -> None:
    assert retest(tree, facts_of()) is tree


def recurrence(x, r, n):
    y = 0.5
    for k in range(n):
        if x > 0.5:
            x = r * x * (1.0 - x)
        else:
            x = r * x * (1.0 - x) + 0.01 * math.sin(x)
        if k % 3 == 1:
            y = x * y + r
        elif y < x:
            y = y * y - x
    return x * y


@pytest.mark.parametrize("n", [0, 1, 7])
def test_end_to_end(n) -> None:
    check_grads(recurrence, 0.3, 3.1, n)
    wrt = ("x", "r")
    found = grad(recurrence, wrt)(0.3, 3.1, n)
    for off in ("common_pushes", "retest", "recompute", "merge_pushes"):
        plain = grad(recurrence, wrt, **{off: False})(0.3, 3.1, n)
        np.testing.assert_allclose(found, plain, rtol=1e-12)
    if n:
        h = 1e-5
        moved = [grad(recurrence, wrt)(0.3 + s, 3.1, n)[0] for s in (h, -h)]
        second = hessian(recurrence)(0.3, 3.1, n)
        np.testing.assert_allclose(second, (moved[0] - moved[1]) / (2 * h), rtol=1e-6)
