"""All of an array, written as the array itself."""

from __future__ import annotations

from dataclasses import replace

import gast
import pytest

from autodiff.optimize.wholes import wholes
from tests.optimize.running import check, facts_of, tree_of


def written(text: str) -> gast.FunctionDef:
    def shape(node: gast.expr) -> tuple[int, ...] | None:
        return (9,) if isinstance(node, gast.Name) and node.id in ("a", "b") else None

    return wholes(tree_of(text), replace(facts_of("t"), shape=shape))


def test_updates_and_operands() -> None:
    tree = written(
        """
        def f(a, c):
            a[...] += c[...]
            c[...] -= a[...]
            b = np.sin(a[...])
            "Reverse sweep"
            t = a[...]
            t = np.sin(a[...]) * t
            for i in range(3):
                b[...] -= a[...] * t
            return b
        """
    )
    check(
        tree,
        """
        def f(a, c):
            a += c[...]
            c[...] -= a[...]
            b = np.sin(a[...])
            'Reverse sweep'
            t = a[...]
            t = np.sin(a) * t
            for i in range(3):
                b -= a * t
            return b
        """,
    )


def test_a_function_inside_keeps_the_array_of_the_one_around() -> None:
    text = """
        def f(a, c):
            b = np.zeros_like(a)

            def pullback(c):
                'Reverse sweep'
                b[...] += c
                return b
            return pullback
        """
    check(written(text), text)


@pytest.mark.parametrize("code", ["a[...] = t", "t = a[...]", "a[:] += t", "t[...] += a"])
def test_what_stays(code: str) -> None:
    text = f'def f(a, t):\n    "Reverse sweep"\n    {code}\n    return a\n'
    check(written(text), text)
