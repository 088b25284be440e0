"""`sorted` of objects whose class says which comes first."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.core.differences import check

X = np.array([0.7, 1.3, 0.4])


class Ranked:
    """Counts how often it is compared."""

    def __init__(self, rank: int, weight: Any) -> None:
        self.rank, self.weight, self.asked = rank, weight, 0

    def __lt__(self, other: Any) -> bool:
        self.asked += 1
        self.weight = self.weight * 1.5
        return self.rank < other.rank


class Heavy(Ranked):
    def __lt__(self, other: Any) -> bool:
        return bool(self.weight < other.weight)


def by_rank(x: Any, reverse: bool) -> Any:
    """The comparisons change what is summed up, so each has to be made, and in its order."""
    items = [Ranked(k, x[k % 3] * (k + 1)) for k in (3, 1, 2, 1, 5, 0, 4)]
    total = 0.0
    for place, each in enumerate(sorted(items, reverse=reverse)):
        total += (place + 1) * each.weight * (1 + each.asked) ** 2
    return total


def forwards(x: Any) -> Any:
    return by_rank(x, False)


def backwards(x: Any) -> Any:
    return by_rank(x, True)


def by_a_key(x: Any) -> Any:
    items = sorted(range(4), key=lambda k: Ranked((k * 3) % 4, x[0]))
    return sum((place + 1) * k * x[place % 3] ** 2 for place, k in enumerate(items))


@pytest.mark.parametrize("f", [forwards, backwards, by_a_key])
def test_what_is_compared_is_what_python_compares(monkeypatch: Any, f: Any) -> None:
    check(monkeypatch, f, X)


def test_what_is_found_when_it_runs_is_compared_then(monkeypatch: Any) -> None:
    def f(x: Any) -> Any:
        return sorted([Heavy(1, x[0]), Heavy(2, x[1])])[0].weight ** 2

    check(monkeypatch, f, X)


MIXED = [2, 0.5, "1.5"]


def test_a_loop_over_items_of_several_types_outside_is_written_out(monkeypatch: Any) -> None:
    def f(x: Any) -> Any:
        total = 0.0
        for i in range(3):
            total += float(MIXED[i]) * x[i] ** 2  # type: ignore[arg-type]
        return total

    check(monkeypatch, f, X)
