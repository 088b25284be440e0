"""Slots of buffers that become variables."""

from __future__ import annotations

import textwrap

import gast
import pytest

from autodiff.optimize.localize import localize
from tests.optimize.running import check, facts_of, tree_of

TEMPORARIES = "t v a_1 a_2"


def function(body: str) -> gast.FunctionDef:
    text = 'def f(a, x, i):\n    "Reverse sweep"\n    a_1 = np.zeros_like(a)\n'
    return tree_of(text + textwrap.indent(textwrap.dedent(body), "    "))


def test_a_slot_is_a_variable() -> None:
    tree = function(
        """
        for k in reversed(range(3)):
            a_1[0:3] += a * a
            a_1[0:3] -= x
            t = a_1[0:3].copy()
            a_1[0:3] = 0.0
            x = x + t
        return x
        """
    )
    check(
        localize(tree, facts_of(TEMPORARIES)),
        """
        def f(a, x, i):
            'Reverse sweep'
            for k in reversed(range(3)):
                a_1_value_bar = a * a
                a_1_value_bar -= x
                t = a_1_value_bar
                x = x + t
            return x
        """,
    )


def test_what_is_added_first_has_a_name_already() -> None:
    tree = function(
        """
        a_2 = a * x
        a_1[0:3] += a_2
        t = a_1[0:3].copy()
        a_1[0:3] = 0.0
        return t
        """
    )
    check(
        localize(tree, facts_of(TEMPORARIES)),
        """
        def f(a, x, i):
            'Reverse sweep'
            a_2 = a * x
            t = a_2
            return t
        """,
    )


def test_what_somebody_else_refers_to_is_copied() -> None:
    tree = function(
        """
        a_1[0:3] += a
        a_1[0:3] += x
        t = a_1[0:3].copy()
        x = t * a_1[0:3]
        a_1[0:3] = 0.0
        return t, x
        """
    )
    check(
        localize(tree, facts_of(TEMPORARIES)),
        """
        def f(a, x, i):
            'Reverse sweep'
            a_1_value_bar = a.copy()
            a_1_value_bar += x
            t = a_1_value_bar.copy()
            x = t * a_1_value_bar
            return (t, x)
        """,
    )


def test_two_stretches() -> None:
    tree = function(
        """
        a_2 = np.zeros_like(a)
        a_1[0:3] += a * x
        a_2[0:3] -= a_1[0:3] * x
        t = a_1[0:3].copy()
        a_1[0:3] = 0.0
        a_1[0:3] += a_2[0:3] * t
        a_2[0:3] = 0.0
        v = a_1[0:3].copy()
        a_1[0:3] = 0.0
        return t, v
        """
    )
    facts = facts_of(TEMPORARIES)
    check(
        localize(tree, facts),
        """
        def f(a, x, i):
            'Reverse sweep'
            a_1_value_bar = a * x
            a_2_value_bar = -(a_1_value_bar * x)
            t = a_1_value_bar
            a_1_value_bar_2 = a_2_value_bar * t
            v = a_1_value_bar_2
            return (t, v)
        """,
    )


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("read as a whole", "a_1[0:3] += a; t = a_1.copy(); a_1[0:3] = 0.0; return t"),
        ("not zero after it", "a_1[0:3] += a; t = a_1[0:3].copy(); return t"),
        ("set", "a_1[0:3] += a; a_1[0:3] = a; t = a_1[0:3].copy(); a_1[0:3] = 0.0; return t"),
        ("in a branch", "a_1[0:3] += a\nif x:\n    a_1[0:3] += a\na_1[0:3] = 0.0; return x"),
        ("not all of it", "a_1[0:3] += x; t = a_1[0:3].copy(); a_1[0:3] = 0.0; return t"),
        ("another slot", "a_1[0:3] += a; a_1[0] += x; t = a_1[0:3]; a_1[0:3] = 0.0; return x"),
        ("read outside", "a_1[0:3] += a; t = a_1[0:3].copy(); a_1[0:3] = 0.0; return a_1, t"),
        ("a view of it", "a_1[0:3] += a; a_2 = a_1[0:3]; a_1[0:3] = 0.0; x = a_2 * x; return x"),
        ("shared", "a_2 = a_1; a_1[0:3] += a; t = a_1[0:3] * a_2; a_1[0:3] = 0.0; return t"),
        ("kept in a list", "v = [a_1]; a_1[0:3] += a; t = a_1[0:3] * x; a_1[0:3] = 0.0; return v"),
    ],
)
def test_buffers_that_stay(why: str, body: str) -> None:
    tree = function(body.replace("; ", "\n"))
    assert localize(tree, facts_of(TEMPORARIES)) is tree, why
