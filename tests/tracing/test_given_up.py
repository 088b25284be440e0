"""What takes long is given up early where the run is followed instead, and not tried again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autodiff import grad, jvp, value_and_grad
from autodiff.kinds import arguments
from autodiff.lower.statement import statements
from autodiff.pipeline import compiler

X = np.array([0.7, -1.3, 0.4])
TABLE = {f"k{k}": {f"k{j}": [1.0 * i for i in range(9)] for j in range(30)} for k in range(30)}


class Link:
    def __init__(self, value: Any, after: Any) -> None:
        self.value, self.after = value, after


def linked(x: Any) -> Any:
    head = None
    for own in x:
        head = Link(own * own, head)
    total = 0.0
    while head is not None:
        total, head = total + head.value, head.after
    return total


def test_what_lowering_refuses_is_not_lowered_again(monkeypatch: Any) -> None:
    tries: list[Any] = []
    real = compiler.by_core

    def counted(function: Any, *args: Any) -> Any:
        if function is linked:
            tries.append(args)
        return real(function, *args)

    monkeypatch.setattr(compiler, "by_core", counted)
    np.testing.assert_allclose(grad(linked)(X), 2 * X)
    before = len(tries)
    assert before
    assert jvp(linked, (X,), (X,))[1] == pytest.approx(2 * np.sum(X * X))
    np.testing.assert_allclose(value_and_grad(linked)(X)[1], 2 * X)
    assert len(tries) == before


def sometimes_linked(x: Any, k: int) -> Any:
    if k > 3:
        return np.sum(np.asarray(memoryview(x)) * x)
    total = 0.0
    for i in range(3):
        total = total + x[i] * x[i]
    return total


@pytest.mark.parametrize("most", [1, 2_500])
def test_a_second_try_gives_up_early(most: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(statements, "_IN_PART", most)

    def program(x: Any, k: int) -> Any:
        return sometimes_linked(x, k)

    derivative = grad(program)
    np.testing.assert_allclose(derivative(X.copy(), 2), 2 * X)
    assert ("run is followed" in derivative.source_for(X, 2)) == (most == 1)


def test_tables_of_outside_are_not_looked_through_for_each_item(monkeypatch: Any) -> None:
    asked = [0]
    real = arguments._kind

    def counted(*args: Any) -> Any:
        asked[0] += 1
        return real(*args)

    monkeypatch.setattr(arguments, "_kind", counted)

    def program(x: Any) -> Any:
        return x * TABLE["k3"]["k4"][5] + x * x * TABLE["k7"]["k1"][2]

    assert grad(program)(1.5) == 5.0 + 3.0 * 2.0
    assert asked[0] < 12_000  # each part once
