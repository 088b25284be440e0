"""Variables of the user's that are called as helpers, as the tape or as the pullback."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from tests.core.judge import Verdict, judge


def called_as_what_is_generated(x):
    pullback = x[0] * 2
    duplicates = x * 3
    unbroadcast = np.outer(x, x)
    scalar_seed = np.sin(x)
    Tape, tape = 1.0, 0.0
    for k in range(len(x)):
        Tape = Tape * np.sin(Tape) + x[k]
        tape = tape + Tape
    scatter_add = x[np.array([0, 0, 1])]
    duplicates *= x[0]
    x_bar = duplicates * duplicates
    duplicates *= x[1]
    total = np.sum(scatter_add) * np.sum(x_bar * scalar_seed)
    return np.sum(pullback * duplicates * unbroadcast) * tape * total


def test_names_do_not_meet():
    points = [(np.array([0.3, 0.7, 1.1]),), (np.array([0.3, 0.7, 1.1, 0.4]),)]
    assert judge(called_as_what_is_generated, points, ("x",)) == Verdict("right")


def a_shadow_that_one_branch_needs_in_a_loop(x):
    d = x[::-1]
    held = {"q": d}
    if x[0] > 0:
        for _ in range(3):
            x += np.tanh(held["q"]) + [q for q in d]
    else:
        held["q"][1:] -= x[0]
    d[d > 0.3] = 1
    return x[2]


def test_a_name_lives_as_long_as_the_loop_that_reads_it():
    points = [(np.array([0.7, -0.43, 0.37, 0.81]),)]
    found = judge(a_shadow_that_one_branch_needs_in_a_loop, points, ("x",))
    assert found == Verdict("right")


SHADOWED = """
import numpy as np
from numpy import *


def len(a):
    return 2


def reversed(a):
    return 7.0


def range(*a):
    return []


def pairs(x):
    s = 1.0
    for a, b in zip(x, x[1:]):
        s = s * a + b
    return s


def numbered(x):
    s = 1.0
    for i, a in enumerate(x):
        s = s * a + i
    return s + mean(x) * max(x) + sum(array([a * b for a, b in zip(x, x[::-1])]))


def taken_apart(x):
    s, k = x[0], 0
    while k < 3:
        a, b, c = x * s
        s, k = s + a * a + b * c, k + 1
    return s
"""


@pytest.mark.parametrize("own", ["pairs", "numbered", "taken_apart"])
def test_builtins_are_those_of_python(own, tmp_path):
    """Whatever the module of the function calls by their names, as `from numpy import *` does."""
    path = tmp_path / "shadowed.py"
    path.write_text(SHADOWED)
    spec = importlib.util.spec_from_file_location("shadowed", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = judge(getattr(module, own), [(np.array([0.7, -1.3, 0.4]),)], ("x",))
    assert found == Verdict("right")
