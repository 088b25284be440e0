"""Buffers that become one, and what is taken from their slots."""

from __future__ import annotations

import textwrap

import gast
import pytest

from autodiff.optimize.coalesce import coalesce
from autodiff.optimize.slots import slots
from tests.optimize.running import check, facts_of, tree_of


def function(body: str) -> gast.FunctionDef:
    text = 'def f(a, x, i):\n    a_1 = a * x\n    "Reverse sweep"\n'
    return tree_of(text + textwrap.indent(textwrap.dedent(body), "    "))


def test_contributions_go_where_they_end_up() -> None:
    tree = function(
        """
        a_2 = np.zeros_like(a)
        a_2[1:] += x
        a_2[:-1] -= x
        a_1 += a_2
        return a_1
        """
    )
    check(
        coalesce(tree, facts_of("t a_1 a_2")),
        """
        def f(a, x, i):
            a_1 = a * x
            'Reverse sweep'
            a_1[1:] += x
            a_1[:-1] -= x
            return a_1
        """,
    )


def test_what_is_taken_meanwhile_is_taken_before() -> None:
    tree = function(
        """
        a_2 = np.zeros_like(a)
        a_2[1:] += x
        t = a_1[:-1].copy()
        a_1[:-1] = 0.0
        a_2[1:] += t
        a_1 += a_2
        return a_1
        """
    )
    check(
        coalesce(tree, facts_of("t a_1 a_2")),
        """
        def f(a, x, i):
            a_1 = a * x
            'Reverse sweep'
            t = a_1[:-1].copy()
            a_1[:-1] = 0.0
            a_1[1:] += x
            a_1[1:] += t
            return a_1
        """,
    )


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("read", "a_2 = np.zeros_like(a); a_2[1:] += x; t = a_2 * x; a_1 += a_2; return a_1 + t"),
        ("the other is read", "a_2 = np.zeros_like(a); a_2 += x; a_2 += a_1 * x; a_1 += a_2"),
        ("shared", "t = a_1; a_2 = np.zeros_like(a); a_2 += x; a_1 += a_2; return t"),
        ("on a tape", "tape.push(a_1); a_2 = np.zeros_like(a); a_2 += x; a_1 += a_2"),
        ("needed later", "a_2 = np.zeros_like(a); a_2[1:] += x; a_1 += a_2; return a_1 + a_2"),
        ("set", "a_2 = np.zeros_like(a); a_2[1:] += x; a_2[0] = 0.0; a_1 += a_2; return a_1"),
        ("not zero", "a_2 = a * 2.0; a_2[1:] += x; a_1 += a_2; return a_1"),
        ("of another shape", "b = np.zeros(9); b[1:] += x; a_1 += b; return a_1"),
        (
            "taken after an addition",
            "a_2 = np.zeros_like(a); a_1[1:] += x; t = a_1[1:].copy(); a_1[1:] = 0.0\n"
            "a_2[1:] += t; a_1 += a_2; return a_1",
        ),
        (
            "taken, not set to zero",
            "a_2 = np.zeros_like(a); t = a_1[1:].copy(); a_2[1:] += t; a_1 += a_2; return a_1",
        ),
    ],
)
def test_buffers_stay_two(why: str, body: str) -> None:
    tree = function(body.replace("; ", "\n"))
    assert coalesce(tree, facts_of("t a_1 a_2")) is tree, why


def test_a_slot_is_set_to_zero_after_its_last_use() -> None:
    tree = function(
        """
        t = a_1[0].copy()
        a_1[0] = 0.0
        a_1[1:-1] += t
        x = x + t * 2.0
        return a_1
        """
    )
    check(
        slots(tree, facts_of("t a_1 a_2")),
        """
        def f(a, x, i):
            a_1 = a * x
            'Reverse sweep'
            t = a_1[0]
            a_1[1:-1] += t
            x = x + t * 2.0
            a_1[0] = 0.0
            return a_1
        """,
    )


def test_a_slot_of_a_buffer_that_is_given_up_stays_as_it_is() -> None:
    tree = function(
        """
        t = a_1[1:].copy()
        a_1[1:] = 0.0
        x = t * 2.0
        a_1 = a_2
        a_1[1:] += x
        a_2 = np.zeros_like(a)
        a_2[1:] -= t
        return a_1 + a_2
        """
    )
    check(
        slots(tree, facts_of("t a_1 a_2")),
        """
        def f(a, x, i):
            a_1 = a * x
            'Reverse sweep'
            t = a_1[1:]
            x = t * 2.0
            a_1 = a_2
            a_1[1:] += x
            a_2 = np.zeros_like(a)
            a_2[1:] -= t
            return a_1 + a_2
        """,
    )


def test_a_slot_keeps_what_it_gets_back() -> None:
    tree = function(
        """
        t = a_1[1:].copy()
        a_1[1:] = 0.0
        a_1[:-1] += t * x
        a_1[1:] += t
        return a_1
        """
    )
    check(
        slots(tree, facts_of("t a_1 a_2")),
        """
        def f(a, x, i):
            a_1 = a * x
            'Reverse sweep'
            t = a_1[1:].copy()
            a_1[:-1] += t * x
            return a_1
        """,
    )


def test_a_slot_gets_its_value_at_once() -> None:
    tree = function("a_1[i] = 0.0\nx = x * 2.0\na_1[i] -= x\nreturn a_1")
    check(
        slots(tree, facts_of("t a_1 a_2")),
        """
        def f(a, x, i):
            a_1 = a * x
            'Reverse sweep'
            x = x * 2.0
            a_1[i] = -x
            return a_1
        """,
    )


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("read as a whole", "t = a_1[0].copy(); a_1[0] = 0.0; x = a_1 * t; return x"),
        ("perhaps the same", "t = a_1[0].copy(); a_1[0] = 0.0; a_1[i] += t; return a_1"),
        ("another name", "t = a_1[0].copy(); a_1[0] = 0.0; a_2 = t; return a_2"),
        ("returned", "t = a_1[0].copy(); a_1[0] = 0.0; return t"),
        ("changed", "t = a_1[1:].copy(); a_1[1:] = 0.0; t += x; x = t * x; return x"),
        ("another index", "t = a_1[i].copy(); a_1[i] = 0.0; i = i + 1; x = t * x; return x"),
        ("in a branch", "t = a_1[0].copy(); a_1[0] = 0.0\nif x: x = t * x\nreturn x"),
        ("shared", "a_2 = a_1\nt = a_1[0].copy(); a_1[0] = 0.0; x = t * a_2; return x"),
        ("looked at", "a_1[1:] = 0.0; x = a_1 * x; a_1 = np.zeros_like(a); a_1 += x; return a_1"),
        ("given up in a branch", "a_1[1:] = 0.0\nif x: a_1 = np.zeros_like(a)\nreturn a_1"),
        (
            "both names ask for it",
            "a_2 = np.zeros_like(a); t = a_1[1:].copy(); a_1[1:] = 0.0; a_1 = a_2; a_1 += 1.0;"
            " x = a_2[1:] * t; a_2 = np.zeros_like(a); return a_1, x, a_2",
        ),
        ("read between", "a_1[i] = 0.0; x = a_1 * x; a_1[i] += x; return a_1"),
        ("reads itself", "a_1[i] = 0.0; a_1[i] += a_1 * x; return a_1"),
        ("given back changed", "t = a_1[1:].copy(); a_1[1:] = 0.0; x = a_1[1:]; a_1[1:] += t"),
    ],
)
def test_slots_stay(why: str, body: str) -> None:
    tree = function(body.replace("; ", "\n"))
    assert slots(tree, facts_of("t a_1 a_2")) is tree, why
