"""Slots of adjoint buffers: set to zero late, or to their new value at once."""

from __future__ import annotations

import textwrap
from dataclasses import replace

import gast
import pytest

from autodiff.optimize.slots import slots
from tests.optimize.running import check, facts_of, tree_of

HEAD = 'def f(a, t, n):\n    "Reverse sweep"\n'


def loop(body: str, header: str = "for i in reversed(range(1, n)):") -> str:
    inner = textwrap.indent(textwrap.dedent(body).strip(), " " * 8)
    return f"{HEAD}    b = np.zeros_like(a)\n    {header}\n{inner}\n    return b\n"


def optimized(text: str) -> gast.FunctionDef:
    facts = facts_of("b e i")

    def is_element(node: gast.expr) -> bool:
        return isinstance(node, gast.Subscript) and isinstance(node.slice, (gast.Name, gast.BinOp))

    scalar = facts.scalar
    told = replace(
        facts,
        scalar=lambda node: is_element(node) or scalar(node) or _is(node, "i"),
        shape=lambda node: (9,) if _is(node, "b") else None,
    )
    return slots(tree_of(text), told)


def _is(node: gast.expr, identifier: str) -> bool:
    return isinstance(node, gast.Name) and node.id == identifier


def test_an_element_gets_its_new_value_at_once() -> None:
    tree = optimized(loop("e = b[i]\nb[i] = 0.0\nb[i - 1] += e * t\nb[i] += e * e"))
    check(tree, loop("e = b[i]\nb[i - 1] += e * t\nb[i] = e * e"))


@pytest.mark.parametrize("between", ["b[n] += e", "e = b[i + t]", "b += e", "i = t", "g(b)"])
def test_not_where_the_element_may_be_meant(between: str) -> None:
    text = loop(f"e = b[i]\nb[i] = 0.0\n{between}\nb[i] += e * e")
    check(optimized(text), text)


def test_not_where_a_counter_may_be_below_the_start() -> None:
    body = "e = b[i]\nb[i] = 0.0\nb[i - 1] += e * t\nb[i] += e * e"
    text = loop(body, "for i in reversed(range(n)):")  # b[-1] is the last element
    check(optimized(text), text)


def test_not_in_another_buffer_of_that_name() -> None:
    body = "u = b[i].copy()\nb[i] = 0.0\ne = b[i - 1]\nb = np.zeros_like(a)\nb[n] = u * e"
    after = "u = b[i]\ne = b[i - 1]\nb = np.zeros_like(a)\nb[n] = u * e"
    check(optimized(loop(body)), loop(after))
