"""Loops are reversed once where it can be foreseen which adjoints cross their iterations."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad
from autodiff.reverse import primitives
from autodiff.reverse.forecast import Trace

pytestmark = pytest.mark.usefixtures("old_way")


def swing(x: float, n: int) -> float:
    total = 0.0
    for _ in range(n):
        for _ in range(n):
            for _ in range(n):
                x = x * np.sin(x)
            total = total + x
    return total


def delayed(x: float, n: int) -> float:
    a = b = c = x
    for k in range(n):
        c, b, a = b * 2.0, a * 3.0, x * k
    return c


def test_nested_loops_are_reversed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    applied = []
    apply = primitives.apply
    monkeypatch.setattr(primitives, "apply", lambda *a: (applied.append(a), apply(*a)))
    assert np.isfinite(grad(swing)(0.7, 2))
    assert len(applied) == 3


def test_a_chain_of_carried_names() -> None:
    assert grad(delayed)(0.5, 5) == 2.0 * 3.0 * 2


def test_trace() -> None:
    trace = Trace()
    trace.edges = {"y": {"x"}, "x": {"w"}, "u": {"v"}}
    assert trace.reached(["y"]) == {"y", "x", "w"}
    inner = Trace(sources=("w",))
    inner.contributed("u")
    trace.follow(inner)
    assert trace.reached(["y"]) == {"y", "x", "w", "u", "v"}
