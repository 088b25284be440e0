"""Random programs with memory, some each time; more: `python -m tests.core.random_memory 0 9`."""

from __future__ import annotations

import collections
from pathlib import Path

import numpy as np
import pytest

from tests.core.judge import judge
from tests.core.random_memory import judged, points
from tests.core.shrink import shrunk

SEEDS = range(9000, 9060)


@pytest.mark.slow
def test_random_programs(tmp_path: Path) -> None:
    found = {seed: judged(seed, tmp_path) for seed in SEEDS}
    faults = {seed: v for seed, v in found.items() if v.what in ("wrong", "crash")}
    assert not faults
    tally = collections.Counter(verdict.what for verdict in found.values())
    assert tally["right"] > 0.7 * len(SEEDS), tally  # most of them are judged at all


def test_the_judge_sees_wrong_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    def square(x, a):
        return x * np.sum(a * a)

    call = [(0.7, np.ones(3))]
    assert judge(square, call, ("x", "a")).what == "right"
    monkeypatch.setattr("tests.core.judge.slope", lambda *_: np.array([2.5]))
    assert judge(square, call, ("x", "a")).what == "wrong"


def test_points_have_a_loop_that_does_nothing() -> None:
    assert [point[-1] for point in points()] == [2, 0]


def test_shrinks_to_what_matters() -> None:
    text = (
        "def g(v):\n    return v\n\ndef f(x):\n    y = g(x)\n    for i in range(3):\n"
        "        if x:\n            x = x + bad(x, 2)\n    return y\n"
    )
    small = shrunk(text, lambda candidate: "bad(" in candidate)
    assert small == "def f(x):\n    return bad(x, 2)\n" or len(small) < 60
    assert "g(v)" not in small
