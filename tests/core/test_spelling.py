"""Variables of the user's that are called as helpers, as the tape or as the pullback."""

from __future__ import annotations

import numpy as np

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
