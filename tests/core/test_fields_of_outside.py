"""Namedtuples, tuples and dicts of outside, taken apart or found by a key at run time."""

from __future__ import annotations

import collections
import types
from typing import Any

import numpy as np
import pytest

from tests.core.differences import check

Point = collections.namedtuple("Point", "x y")
POINT, POINTS = Point(2.0, np.array([1.0, 2.0])), [Point(1.0, 2.0), Point(3.0, 4.0)]
PAIRS = [(1.0, 2.0), (3.0, 4.0)]
HELD = types.SimpleNamespace(point=Point(2.0, 3.0))
TABLE = {
    "a": {"k": 2.0, "w": np.array([1.0, 2.0])},
    "b": {"k": 3.0, "w": np.array([4.0, 5.0])},
}


def taken_apart(x: Any) -> Any:
    p, q = POINT
    a, b = HELD.point
    return p * np.sum(q * x[:2]) + a * x[0] + b * x[1] * HELD.point.x


def in_a_loop(x: Any) -> Any:
    total = 0.0
    for p, q in POINTS:
        total = total + p * x[0] ** q
    for point in POINTS:
        total = total + point.x * x[1] * point[1]
    return total


def by_a_number(x: Any) -> Any:
    i = int(x[0] > 0)
    return POINTS[i].x * x[0] + PAIRS[1 - i][0] * x[1] ** 2


def by_a_key(x: Any) -> Any:
    key = "a" if x[1] > 5 else "b"
    return TABLE[key]["k"] * np.sum(TABLE[key]["w"] * x[:2] ** 2)


def pairs_by_a_number(x: Any) -> Any:
    total = 0.0
    for k in range(int(x[0] * 3)):
        a, b = PAIRS[k % 2]
        total = total + a * x[k] ** b
    return total


FUNCTIONS = [
    taken_apart,
    in_a_loop,
    pytest.param(by_a_number, marks=pytest.mark.followed),
    pytest.param(by_a_key, marks=pytest.mark.followed),
    pytest.param(pairs_by_a_number, marks=pytest.mark.followed),
]


@pytest.mark.parametrize(
    "function", FUNCTIONS, ids=lambda function: getattr(function, "__name__", None)
)
def test_right(monkeypatch: pytest.MonkeyPatch, function: Any) -> None:
    check(monkeypatch, function, np.array([0.7, 1.1, 0.4, 0.9]))
