"""Names of what comes back from the tape."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import check_grads, grad
from autodiff.optimize.popped import popped
from tests.optimize.running import check, facts_of, tree_of

LOOPS = """
def f(x, n):
    tape = Tape()
    for i in range(n):
        u = x * 2
        tape.push({pushed}, 1)
        x = u
    '# '
    'Reverse sweep'
    for i in range(n):
        {popped} = tape.pop(1)
        x_bar = {used}
    return {result}
"""


def text(pushed: str, popped: str, used: str, result: str = "x_bar") -> str:
    return LOOPS.format(pushed=pushed, popped=popped, used=used, result=result)


CHANGED = {
    "its own name": (("u", "t", "t * 2"), ("u", "u", "u * 2")),
    "in a pair": (
        ("(x + 1, u)", "(v, t)", "t * v"),
        ("(x + 1, u)", "(v, u)", "u * v"),
    ),
    "twice": (("(u, u)", "(u, t)", "t * u"), ("u", "u", "u * u")),
    "twice, by other names": (("(u, u)", "(v, t)", "t * v"), ("u", "u", "u * u")),
}

LEFT = {
    "in use": ("u", "t", "t * u"),
    "returned": ("u", "t", "t * 2", "x_bar, u"),
    "the other name is known before": ("u", "x", "x * 2"),
    "an expression": ("u * 2", "t", "t * 2"),
    "the same name": ("u", "u", "u * 2"),
}


@pytest.mark.parametrize(("before", "after"), CHANGED.values(), ids=CHANGED)
def test_changed(before: tuple[str, ...], after: tuple[str, ...]) -> None:
    new = popped(tree_of(text(*before)), facts_of())
    check(new, text(*after).replace(", 1)", ")").replace("pop(1)", "pop()"))


@pytest.mark.parametrize("parts", LEFT.values(), ids=LEFT)
def test_left(parts: tuple[str, ...]) -> None:
    tree = tree_of(text(*parts))
    assert popped(tree, facts_of()) is tree


def test_what_a_function_reads_late() -> None:
    before = text("u", "t", "t * g()").replace("u = x * 2", "u = x * 2\n        g = lambda: u")
    tree = tree_of(before)
    assert popped(tree, facts_of()) is tree


def stages(y, h, n):
    for _ in range(n):
        z = y + h * np.array([y[1], np.sin(y[0]) * y[1]])
        y = y + h * np.array([z[1], np.sin(z[0]) * z[1]])
    return y @ y


def test_end_to_end() -> None:
    y = np.array([0.4, -0.8])
    check_grads(stages, y, 0.1, 3, order=2)
    assert "_2 in" not in grad(stages).source_for(y, 0.1, 3)
