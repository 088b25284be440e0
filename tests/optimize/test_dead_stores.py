"""Stores that nobody reads."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import check_grads, grad
from autodiff.optimize.dead_stores import dead_stores
from tests.optimize.running import check, facts_of, tree_of

GONE = {
    "the last one": (
        """
        def f(x):
            a = np.zeros(3)
            a[0] = x
            t = a[0] * 2.0
            a[0] = 0.0
            return t
        """,
        """
        def f(x):
            a = np.zeros(3)
            a[0] = x
            t = a[0] * 2.0
            return t
        """,
    ),
    "only read to update each other": (
        """
        def f(n):
            a = np.zeros(n)
            for i in range(1, n):
                a[i] = a[i - 1] + 1.0
            return np.zeros_like(a)
        """,
        """
        def f(n):
            a = np.zeros(n)
            for i in range(1, n):
                pass
            return np.zeros_like(a)
        """,
    ),
    "before all is stored": (
        """
        def f(x):
            a = np.zeros(3)
            a[1] = x
            a[...] = 2.0
            return a
        """,
        """
        def f(x):
            a = np.zeros(3)
            a[...] = 2.0
            return a
        """,
    ),
    "in one branch": (
        """
        def f(x, s):
            a = np.zeros(3)
            if s:
                a[0] = x
                t = a[1] * 2.0
                a[1] = 0.0
            else:
                t = 2.0
            return t
        """,
        """
        def f(x, s):
            a = np.zeros(3)
            if s:
                a[0] = x
                t = a[1] * 2.0
            else:
                t = 2.0
            return t
        """,
    ),
}

STAYS = {
    "in a loop": """
        def f(x):
            a = np.zeros(3)
            for i in range(3):
                t = a[i] * 2.0
                a[i] = t + x
            return t
        """,
    "returned": """
        def f(x):
            a = np.zeros(3)
            a[0] = x
            return a
        """,
    "of an argument": """
        def f(a):
            a[0] = 1.0
            return 2.0
        """,
    "read by a view": """
        def f(x):
            a = np.zeros(3)
            t = a[1:]
            a[1] = x
            return t
        """,
    "read by a function": """
        def f(x):
            a = np.zeros(3)

            def g():
                return a[0]
            a[0] = x
            return g
        """,
    "after a break": """
        def f(x, s):
            a = np.zeros(3)
            for i in range(3):
                a[0] = x
                if s:
                    break
                a[0] = 2.0
                a[1] = a[0]
            return a[0]
        """,
    "whose value has an effect": """
        def f(x):
            a = np.zeros(3)
            a[0] = log(x)
            return x
        """,
    "a part of what is read": """
        def f(x):
            a = np.zeros(3)
            a[1] = x
            a[1:] = 2.0
            return a
        """,
}


@pytest.mark.parametrize(("before", "after"), GONE.values(), ids=GONE)
def test_gone(before: str, after: str) -> None:
    new = dead_stores(tree_of(before), facts_of("t"))
    check(new, after)
    assert dead_stores(new, facts_of("t")) is new


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_stays(text: str) -> None:
    tree = tree_of(text)
    assert dead_stores(tree, facts_of("t")) is tree


def forced(c, f, n):
    """Linear: the adjoint reads no value of u."""
    u = np.zeros(len(f))
    for _ in range(n):
        u[1:-1] += c * (u[2:] - 2 * u[1:-1] + u[:-2]) + f[1:-1]
        u[0] = u[1]
    return np.sum(u)


def test_a_linear_model_is_not_run() -> None:
    f = np.array([0.3, -1.0, 2.0, 0.5])
    check_grads(lambda f: forced(0.1, f, 3), f, order=2)
    text = grad(forced, "f").source_for(0.1, f, 3)
    forward, _, reverse = text.partition("Reverse sweep")
    assert "for" not in forward.partition("Forward sweep")[2]
    assert "for _ in reversed(range(n))" in reverse
    assert "for _ in range(n)" in grad(forced, ("c", "f")).source_for(0.1, f, 3)
