"""Where invariant numbers are grouped and computed before the loop."""

from __future__ import annotations

import pytest

from autodiff.optimize.hoist import hoist
from autodiff.optimize.regroup import regroup
from tests.optimize.running import check, facts_of, tree_of


def test_once_for_all_loops() -> None:
    tree = tree_of(
        """
        def f(x, s, n):
            y = 0.5
            for k in range(n):
                x = x + s / 2 * x
                if x > 2.0:
                    x = x * (0.5 * y)
            for k in range(n):
                x = x * (s / 2)
            return x
        """
    )
    check(
        hoist(tree, facts_of()),
        """
        def f(x, s, n):
            y = 0.5
            s_over_2 = s / 2
            half_y = 0.5 * y
            for k in range(n):
                x = x + s_over_2 * x
                if x > 2.0:
                    x = x * half_y
            for k in range(n):
                x = x * s_over_2
            return x
        """,
    )


def test_a_pullback_uses_what_the_forward_sweep_has() -> None:
    tree = tree_of(
        """
        def f(x, s, n):
            for k in range(n):
                x = x * (s * s)
            def pullback(y):
                for k in range(n):
                    y = y * (s * s) + s * 4.0
                return y
            return pullback
        """
    )
    check(
        hoist(tree, facts_of("pullback")),
        """
        def f(x, s, n):
            s_times_s = s * s
            for k in range(n):
                x = x * s_times_s

            def pullback(y):
                product = s * 4.0
                for k in range(n):
                    y = y * s_times_s + product
                return y
            return pullback
        """,
    )


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("assigned in the loop", "for k in range(n):\n  s = s * 2.0"),
        ("assigned between the loops", "for k in range(n):\n  x = x * x\n s = x"),
        ("may divide by zero, and n be 0", "for k in range(n):\n  x = x * (1.0 / s)"),
        ("an array", "for k in range(n):\n  x = x * (a * 2.0)"),
        ("an integer", "for k in range(n - 1):\n  x = x * x"),
        ("a power may overflow", "for k in range(n):\n  x = x * s ** 2"),
        ("a global", "for k in range(n):\n  x = x * (y * 2.0)"),
        ("run when it is called", "for k in range(n):\n  x = lambda: s * 2.0"),
        ("assigned by another function", "def g():\n  nonlocal s\n for k in range(n):\n  s * 2.0"),
        ("not in a loop", "x = s * 2.0"),
    ],
)
def test_it_stays(why: str, body: str) -> None:
    if "assigned between" in why:
        body += "\n for k in range(n):\n  x = s * 2.0"
    tree = tree_of(f"def f(x, s, a, n):\n {body}\n return x\n")
    assert hoist(tree, facts_of()) is tree, why


def test_invariant_factors_come_together() -> None:
    tree = tree_of(
        """
        def f(x, s, n):
            for k in range(n):
                x = x / 2 * s
            'Reverse sweep'
            for k in range(n):
                x = x / 2 * s
                y = 0.5 * s * (2 * x)
                z = x / y * s * y / 4
            return x
        """
    )
    check(
        regroup(tree, facts_of()),
        """
        def f(x, s, n):
            for k in range(n):
                x = x / 2 * s
            'Reverse sweep'
            for k in range(n):
                x = x * (s / 2)
                y = x * s
                z = x / y * y * (s / 4)
            return x
        """,
    )


@pytest.mark.parametrize(
    "value",
    ["x * s", "x * 2 / 3", "x / s * 2", "x * s * s2 ** 2", "2 / x * s", "x * a * s", "x * s * n"],
)
def test_other_products_stay(value: str) -> None:
    tree = tree_of(
        f"def f(x, s, a, n):\n 'Reverse sweep'\n for k in range(n):\n  x = {value}\n return x\n"
    )
    assert regroup(tree, facts_of()) is tree
