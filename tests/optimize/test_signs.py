"""Where a temporary changes its sign."""

from __future__ import annotations

import pytest

from autodiff.optimize.signs import signs
from tests.optimize.running import check, facts_of, tree_of


def test_uses_take_the_sign_in() -> None:
    tree = tree_of(
        """
        def f(x, y, z):
            "Reverse sweep"
            t = -x / y
            z += t
            z = z - t * y
            return z
        """
    )
    check(
        signs(tree, facts_of("t")),
        """
        def f(x, y, z):
            'Reverse sweep'
            t = x / y
            z -= t
            z = z + t * y
            return z
        """,
    )


def test_a_sign_moves_on_where_a_statement_goes_by_that() -> None:
    tree = tree_of(
        """
        def f(x, y, z):
            "Reverse sweep"
            t_bar = -x
            z += t_bar * y
            y = t_bar * z
            return y
        """
    )
    check(
        signs(tree, facts_of("t_bar")),
        """
        def f(x, y, z):
            'Reverse sweep'
            t_bar = x
            z -= t_bar * y
            y = -t_bar * z
            return y
        """,
    )


@pytest.mark.parametrize(
    ("why", "body"),
    [
        ("two signs for one", "t = -x * y; z = t * z; y = t * y; return z + y"),
        ("an adjoint is what its name says", "t_bar = -x * y; z += t_bar; return z"),
        ("assigned twice", "t = -x * y; z += t; t = x; return z - t"),
        ("read in a block of its own", "t = -x * y\n    if z > 0: z += t\n    return z"),
        ("a name of the user's", "s = -x * y; z += s; return z"),
        ("would share memory with a", "t = -a; a += 1.0; z = z - t; return z"),
        ("others share its memory", "t = -a * z; a1 = t; a1 += 1.0; z = z - t; return z"),
        ("written in place", "t = -a * z; t[0] = 1.0; z = z - t; return z"),
        ("handed on", "t = -a * z; log(t); z = z - t; return z"),
    ],
)
def test_it_stays(why: str, body: str) -> None:
    text = "def f(x, y, z, a):\n    'Reverse sweep'\n    " + body.replace("; ", "\n    ") + "\n"
    tree = tree_of(text)
    assert signs(tree, facts_of("t t_bar a1")) is tree, why


def test_the_forward_sweep_stays() -> None:
    tree = tree_of("def f(x, y, z):\n    t = -x * y\n    z += t\n    return z\n")
    assert signs(tree, facts_of("t")) is tree
