"""Parts of ranges are ranges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autodiff import grad
from tests.core.differences import check


def backwards(x: Any) -> Any:
    total = 0.0
    for i in range(len(x))[::-1]:
        total = total * x[i] + x[i]
    return total


def in_steps(x: Any) -> Any:
    total = 0.0
    for i in range(len(x))[::2]:
        total = total * x[0] + x[i] ** 2
    return total


def backwards_and_back(x: Any) -> Any:
    total = 0.0
    for i in range(1, len(x))[::-1][::-1]:
        total = total * x[i] + x[i]
    for i in reversed(range(len(x))[1:-1][::-1]):
        total = total * x[i] + x[i - 1] * x[i + 1]
    return total


def under_a_name(x: Any) -> Any:
    places, odd = range(len(x))[::-1], slice(1, None, 2)
    rest = places[1:]
    total = x[rest[0]] * len(rest)
    for k, i in enumerate(rest):
        total = total * x[i] + x[k] * k
    for i in places[odd]:
        total = total * x[i] + i
    return total + sum(x[i] * (i + 1) for i in rest[::-1])


def all_forms(x: Any) -> Any:
    whole, total = range(len(x), -len(x), -2), 0.0
    for part in (
        whole[1:3],
        whole[4:0:-2],
        whole[-2:-100:-1],
        whole[:],
        whole[100::-3],
        whole[3:1],
        range(len(x))[: len(x) - 2 : -1],
        range(3, 2)[::-1],
        range(2, 9, 3)[::-1],
    ):
        for i in part:
            total = total * x[0] + x[abs(i) % 3] * i
    return total


def by_what_is_found(x: Any) -> Any:
    total, k = 0.0, int(x[0])
    for i in range(len(x))[k - 3 :: k]:
        total = total * x[i] + x[i]
    return total


@pytest.mark.parametrize(
    "function",
    [backwards, in_steps, backwards_and_back, under_a_name, all_forms, by_what_is_found],
)
def test_parts_of_ranges(function: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, function, np.array([1.1, 1.3, 0.7, 0.9, 1.4]))


def test_a_range_backwards_is_a_loop_backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "reversed(range(" in check(monkeypatch, backwards, np.array([1.1, 1.3, 0.7]))


def test_a_step_of_zero_is_an_error() -> None:
    def f(x: Any, step: int) -> Any:
        total = 0.0
        for i in range(len(x))[::step]:
            total = total + x[i]
        return total

    np.testing.assert_array_equal(grad(f)(np.ones(3), 2), [1.0, 0.0, 1.0])
    with pytest.raises(ValueError, match="step cannot be zero"):
        grad(f)(np.ones(3), 0)
