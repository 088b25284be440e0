"""Which names are live after each statement."""

from __future__ import annotations

import gast
import pytest

from autodiff.analysis.liveness import liveness
from autodiff.syntax.walk import walk
from tests.analysis.given import function

# The body of a function, in which `mark` stands where it is asked what is live, and the answer.
CASES = {
    "at the end": ("p = x\nmark", ""),
    "returned": ("p = x\nmark\nreturn p", "p"),
    "read later": ("p = x\nmark\nq = p + y", "p y"),
    "overwritten before it is read": ("p = x\nmark\np = y\nq = p", "y"),
    "read by what overwrites it": ("p = x\nmark\np = p + y", "p y"),
    "a store reads its array": ("p = x\nmark\np[0] = t", "p t"),
    "augmented reads": ("p = x\nmark\np += t", "p t"),
    "on one branch": ("mark\nif flag:\n    p = x\nelse:\n    p = y", "flag x y"),
    "overwritten on one branch only": ("mark\nif flag:\n    x = y\nq = x", "flag x y"),
    "overwritten on both": ("mark\nif flag:\n    x = y\nelse:\n    x = z\nq = x", "flag y z"),
    "inside a branch the other does not count": (
        "if flag:\n    mark\n    p = x\nelse:\n    p = y",
        "x",
    ),
    "the next iteration": ("for k in range(n):\n    q = p\n    mark\n    p = x", "n x"),
    "carried around": ("for k in range(n):\n    p = x\n    mark\n    q = p\n    x = y", "n p y"),
    "read at the head, set at the end": (
        "for k in range(n):\n    q = p\n    p = x\n    mark",
        "n p x",
    ),
    "fresh in each iteration": ("for k in range(n):\n    mark\n    p = x\n    q = p", "n x"),
    "the counter is set by the loop": ("mark\nfor k in range(n):\n    q = k", "n"),
    "a loop may not run": ("mark\nfor k in range(n):\n    x = y\nq = x", "n x y"),
    "test of a while": ("while s > t:\n    mark\n    s = y", "t y"),
    "nested loops": (
        "for k in range(n):\n    for l in range(j):\n        mark\n        q = p\n    p = x",
        "j n p x",
    ),
    "after a break": (
        """
        for k in range(n):
            p = x
            if flag:
                mark
                break
            q = y
        r = p
        """,
        "p",
    ),
    "break of an inner loop": (
        """
        for k in range(n):
            for l in range(j):
                mark
                if flag:
                    break
                q = y
            r = z
        """,
        "flag j n y z",
    ),
    "handler": ("try:\n    mark\n    p = x\nexcept ValueError:\n    p = y", "x y"),
    "handler, within a branch": (
        "try:\n    if flag:\n        mark\n        p = x\nexcept ValueError:\n    q = p",
        "p x",
    ),
    "name of the exception": ("try:\n    mark\nexcept ValueError as e:\n    p = e", ""),
    "finally": ("try:\n    mark\n    p = x\nfinally:\n    q = y", "x y"),
    "else": ("try:\n    p = x\n    mark\nexcept ValueError:\n    q = y\nelse:\n    q = z", "y z"),
    "with": ("with call() as p:\n    mark\n    x = p\nq = x", "p"),
    "before with, which may end halfway": ("mark\nwith call():\n    x = y\nq = x", "x y"),
    "nested function": ("mark\ndef g():\n    return x\nx = y", "x y"),
    "read by a nested function at any time": ("def g():\n    return x\nq = t\nmark\nx = y", "x y"),
    "del reads nothing": ("p = x\nmark\ndel p", ""),
}


FREE = {"mark", "range", "call", "ValueError"}


def live_at_mark(body: str) -> str:
    tree = function(body)
    after = liveness(tree)
    (mark,) = [
        node
        for node in walk(tree)
        if isinstance(node, gast.Expr) and getattr(node.value, "id", "") == "mark"
    ]
    return " ".join(sorted(after[id(mark)] - FREE))


@pytest.mark.parametrize(("body", "expected"), CASES.values(), ids=CASES)
def test_live(body: str, expected: str) -> None:
    assert live_at_mark(body) == expected


def test_nested_functions_have_no_answer() -> None:
    tree = function("def g():\n    p = x\n    return p\nq = g")
    assert id(tree.body[0].body[0]) not in liveness(tree)
