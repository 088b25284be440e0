"""Which changes of memory are seen under another name that is read after them."""

from __future__ import annotations

import pytest

from autodiff.analysis.conflicts import changed, conflicts
from tests.analysis.given import function, known

# The body of a function, and its conflicts: the changed name and the other.
CASES = {
    "one name": ("p = x.copy()\np[0] = t\nq = p", ""),
    "alias read after": ("p = x\np[0] = t\nq = x + 1.0", "p/x"),
    "alias read before only": ("p = x\nq = x + 1.0\np[0] = t\nreturn p", ""),
    "array changed, view read": ("p = x[1:]\nx[0] = t\nq = p", "x/p"),
    "view of a view": ("p = x[1:]\nq = p[1:]\nq[0] = t\nr = x", "q/x"),
    "alias overwritten before it is read": ("p = x\np[0] = t\nx = y\nq = x", ""),
    "fancy index copies": ("p = x[index]\np[0] = t\nq = x", ""),
    "number": ("p = x[i]\nx[0] = t\nq = p", ""),
    "augmented": ("p = x\np += y\nq = x", "p/x"),
    "augmented number": ("p = s\np += t\nq = s", ""),
    "fill": ("p = x\np.fill(0.0)\nq = x", "p/x"),
    "out": ("p = x\nnp.sin(y, out=p)\nq = x", "p/x"),
    "out by position": ("p = x\nnp.sin(y, p)\nq = x", "p/x"),
    "copyto": ("p = x\nnp.copyto(p, y)\nq = x", "p/x"),
    "add.at": ("p = x\nnp.add.at(p, index, t)\nq = x", "p/x"),
    "unknown function": ("p = x\ncall(p)\nq = x", "p/x"),
    "alias on one branch": (
        "if flag:\n    p = x\nelse:\n    p = y.copy()\np[0] = t\nq = x + y",
        "p/x",
    ),
    "changed on one branch": ("p = x\nif flag:\n    p[0] = t\nq = x", "p/x"),
    "swapped buffers": (
        """
        p = x.copy()
        q = x.copy()
        for k in range(n):
            q[1:] = p[:-1]
            h = q
            q = p
            p = h
        return p
        """,
        "",
    ),
    "rebound to fresh memory in a loop": (
        """
        p = x.copy()
        for k in range(n):
            q = p
            p = y.copy()
            p[0] = t
            r = q
        """,
        "",
    ),
    "the alias of the last iteration": (
        """
        p = x.copy()
        q = y.copy()
        for k in range(n):
            p[0] = t
            r = q + 1.0
            q = p
        """,
        "p/q",
    ),
    "the alias of the last iteration, read first": (
        """
        p = x.copy()
        q = p
        for k in range(n):
            r = q + 1.0
            p[0] = t
            q = p
        """,
        "",
    ),
    "two arrays of a list": ("p = us[0]\nq = us[1]\np[0] = t\nr = q", "p/q"),
    "the list itself": ("p = us[0]\np[0] = t\nr = us", "p/us"),
    "a parameter alone": ("x[0] = t\nreturn x", ""),
    "two parameters": ("x[0] = t\nreturn y", ""),
    "inside a nested function": ("def g():\n    x[0] = t\nq = x", ""),
}


@pytest.mark.parametrize(("body", "expected"), CASES.values(), ids=CASES)
def test_conflicts(body: str, expected: str) -> None:
    tree = function(body)
    found = conflicts(tree, known(tree))
    assert " ".join(f"{c.changed}/{c.other}" for c in found) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x[0] = t", "x"),
        ("x[1:].T[0] = t", "x"),
        ("o.u = x", "o"),
        ("x += y", "x"),
        ("t += s", ""),
        ("x[0] += t", "x"),
        ("p = x", ""),
        ("np.sin(x, out=y)", "y"),
        ("p = np.sin(x, out=y)", "y"),
        ("x.fill(t)", "x"),
        ("x.sum()", ""),
        ("call(x)[0] = t", "x"),
        ("if flag:\n    x[0] = t", ""),
        ("for k in range(n):\n    x[0] = t", ""),
        ("def g():\n    x[0] = t", ""),
    ],
)
def test_changed_by_one_statement(text: str, expected: str) -> None:
    tree = function(text)
    assert sorted(set(changed(tree.body[0], known(tree)))) == expected.split()
