"""What is asked of objects and numbers outside: their class, whether they are called, which one it
is.
"""

from __future__ import annotations

import datetime
import math
from typing import Any

import numpy as np
import pytest

from autodiff import grad
from tests.core.differences import check


class Plain:
    k = 2.0


class Scaled(Plain):
    def __init__(self, k: Any) -> None:
        self.k = k

    def __call__(self, x: Any) -> Any:
        return x * self.k


class Space:
    day: Any = datetime.date(2020, 1, 1)
    table: Any = {"k": 2.0}
    scaled: Any = Scaled(3.0)


NAN, ONE = float("nan"), 1.0


def classes(x: float) -> Any:
    total = x * x if isinstance(Space.day, datetime.date) else x
    total += x if isinstance(Space.table, (list, dict)) else 0.0
    return total * (2.0 if isinstance(Space.scaled, Plain) else x)


def callables(x: float) -> Any:
    made = Scaled(x)
    total = x * Space.table["k"] if not callable(Space.table) else x
    total += Space.scaled(x) if callable(Space.scaled) else 0.0
    total += made(x) if callable(made) else 1.0
    return total + (np.sin(x) if callable(np.sin) and not callable(x) else 0.0)


def is_nan(x: Any) -> Any:
    return x is NAN or math.isnan(x)


def identity(x: float) -> Any:
    y, total = ONE, 0.0
    for k in range(3):
        y = y * x if y is ONE else y + x * k
    for v in [x, NAN]:
        if v is not NAN:
            total += v * v
    return y + total if not is_nan(x) else x


@pytest.mark.parametrize("function", [classes, callables, identity])
def test_asked_of_outside(monkeypatch: Any, function: Any) -> None:
    check(monkeypatch, function, 0.7)


def test_another_object_later(monkeypatch: Any) -> None:
    def f(x: float) -> Any:
        return x * 3.0 if isinstance(Space.day, datetime.datetime) else x * x

    derivative = grad(f)
    assert derivative(0.5) == 1.0
    monkeypatch.setattr(Space, "day", datetime.datetime(2020, 1, 1))
    assert derivative(0.5) == 3.0
