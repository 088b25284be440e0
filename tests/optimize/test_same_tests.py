"""Branches side by side that ask the same."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import check_grads, grad
from autodiff.optimize.same_tests import same_tests
from tests.optimize.running import check, facts_of, tree_of


def loop(body: str) -> str:
    lines = "\n        ".join(body.strip().splitlines())
    head = "def f(x, s, n, a):\n    'Reverse sweep'\n    for i in range(n):\n        "
    return head + lines + "\n    return x\n"


JOINED = {
    "two": (
        "if s < 1.0:\n    t = x\nif s < 1.0:\n    x = t\nelse:\n    x = 2",
        "if s < 1.0:\n    t = x\n    x = t\nelse:\n    x = 2",
    ),
    "three": (
        "if s:\n    t = x\nif s:\n    u = t\nif s:\n    x = u",
        "if s:\n    t = x\n    u = t\n    x = u",
    ),
    "inside": (
        "if n:\n    if s:\n        t = x\n    if s:\n        x = t",
        "if n:\n    if s:\n        t = x\n        x = t",
    ),
    "made neighbours": (
        "if n:\n    if s:\n        t = x\nif n:\n    if s:\n        x = t",
        "if n:\n    if s:\n        t = x\n        x = t",
    ),
    "an element, and nothing stored": (
        "if a[0] > 0.0:\n    t = x\nif a[0] > 0.0:\n    x = t",
        "if a[0] > 0.0:\n    t = x\n    x = t",
    ),
}

LEFT = {
    "another test": "if s < 1.0:\n    t = x\nif s < 2.0:\n    x = t",
    "another answer": "if s < 1.0:\n    s = x\nif s < 1.0:\n    x = s",
    "in the other branch": "if s < 1.0:\n    t = x\nelse:\n    s = x\nif s < 1.0:\n    x = s",
    "an element that is stored to": "if a[0] > 0.0:\n    a[0] = x\nif a[0] > 0.0:\n    x = s",
    "apart": "if s < 1.0:\n    t = x\nn = x\nif s < 1.0:\n    x = t",
    "a call": "if log(s):\n    t = x\nif log(s):\n    x = t",
    "an effect": "if s < 1.0:\n    log(x)\nif s < 1.0:\n    x = s",
    "a break": "if s < 1.0:\n    break\nif s < 1.0:\n    x = s",
}


@pytest.mark.parametrize(("before", "after"), JOINED.values(), ids=JOINED)
def test_joined(before: str, after: str) -> None:
    check(same_tests(tree_of(loop(before)), facts_of("t u")), loop(after))


@pytest.mark.parametrize("body", LEFT.values(), ids=LEFT)
def test_left(body: str) -> None:
    tree = tree_of(loop(body))
    assert same_tests(tree, facts_of("t u")) is tree


def energy(pos, cutoff):
    e = 0.0
    for i in range(len(pos)):
        for j in range(i + 1, len(pos)):
            r = pos[i] - pos[j]
            r2 = r @ r
            if r2 < cutoff:
                s6 = 1.0 / r2**3
                e += 4.0 * (s6 * s6 - s6)
    return e


def test_end_to_end() -> None:
    pos = np.random.default_rng(1).normal(size=(4, 3)) * 2.0
    check_grads(energy, pos, 9.0, order=2)
    assert grad(energy).source_for(pos, 9.0).count("if ") == 1
