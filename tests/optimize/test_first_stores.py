"""Slots of new buffers are stored, not added to."""

from __future__ import annotations

import textwrap

import gast

from autodiff.optimize.first_stores import first_stores
from tests.optimize.running import check, facts_of, tree_of


def function(body: str) -> gast.FunctionDef:
    text = 'def f(a, t, i):\n    "Reverse sweep"\n'
    return tree_of(text + textwrap.indent(textwrap.dedent(body), "    "))


def test_slots_that_share_no_element_are_stored() -> None:
    tree = function(
        """
        b = np.zeros_like(a)
        b[1:-1] += t
        u = t * t
        b[0] += u
        b[i] += t
        b[0] += t
        return b
        """
    )
    check(
        first_stores(tree, facts_of("b u")),
        """
        def f(a, t, i):
            'Reverse sweep'
            b = np.zeros_like(a)
            b[1:-1] = t
            u = t * t
            b[0] = u
            b[i] += t
            b[0] += t
            return b
        """,
    )


def test_what_was_read_or_filled_before_is_added_to() -> None:
    for between in ("g(b)", "b += t", "b[1] += b[0]", "c = b", "if t:\n    b[0] = 1.0"):
        tree = function(f"b = np.zeros_like(a)\n{between}\nb[0] += t\nreturn b")
        assert first_stores(tree, facts_of("b c")) is tree


def test_users_buffers_and_differences_stay() -> None:
    tree = function("x = np.zeros_like(a)\nx[0] += t\nb = np.zeros(3)\nb[0] -= t\nreturn x")
    assert first_stores(tree, facts_of("b")) is tree


def test_a_buffer_that_slices_fill_begins_empty() -> None:
    tree = function("b = np.zeros_like(a)\nb[i:] = t\nb[:i] = t\nreturn b")
    check(
        first_stores(tree, facts_of("b")),
        """
        def f(a, t, i):
            'Reverse sweep'
            b = np.empty_like(a)
            b[i:] = t
            b[:i] = t
            return b
        """,
    )


def test_a_buffer_that_is_not_filled_begins_with_zeros() -> None:
    for stores in (
        "b[i:] = t\nb[:t] = t",
        "b[i:] = t\ni = 2\nb[:i] = t",
        "b[i:] = t\nc = b[0]\nb[:i] = t",
        "b[i:] = t\nb[:i, 0] = t",
        "b[i::2] = t\nb[:i] = t",
        "b[i:] = t\nif t:\n    b[:i] = t",
        "b[:, :i] = t\nb[i:] = t",
        "b[..., :i] = t\nb[..., i:] = t",
    ):
        tree = function(f"b = np.zeros_like(a)\n{stores}\nreturn b")
        assert first_stores(tree, facts_of("b c")) is tree
