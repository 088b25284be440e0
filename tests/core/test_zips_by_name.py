"""Pairs of known parts and of an array whose length is not known, under a name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autodiff import grad
from tests.core.differences import check, refused_or_right


def to_the_end(x: Any) -> Any:
    total, pairs = 0.0, zip((1.0, 2.0, 3.0), x)
    for a, v in pairs:
        total = total * v + a * v
    return total


def left_early(x: Any) -> Any:
    total, pairs = 0.0, zip((1.0, 2.0, 3.0), x)
    for a, v in pairs:
        total = total + a * v
        if total > 1.0:
            break
    return total


@pytest.mark.parametrize("function", [to_the_end, left_early])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_zips_by_name(function: Any, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, function, np.array([0.5, 0.7, 1.1, 1.3])[:n])


def drawn_inside(x: Any) -> Any:
    total, pairs = 0.0, zip((np.sin, np.cos, np.tan, np.exp), x)
    for f, v in pairs:
        g, w = next(pairs)
        total = total + f(v) * g(w)
    return total


def read_on(x: Any) -> Any:
    total, pairs = 0.0, zip((np.sin, np.cos, np.tan, np.exp), x)
    for f, v in pairs:
        total = total + f(v)
        if total > 0.9:
            break
    for f, v in pairs:
        total = total * f(v)
    return total


def losing_one(x: Any) -> Any:
    items = iter((np.sin, np.cos, np.tan, np.exp))
    total, pairs = 0.0, zip(items, x)
    for f, v in pairs:
        total = total + f(v)
    for f in items:
        total = total * f(x[0])
    return total


@pytest.mark.parametrize("function", [drawn_inside, read_on, losing_one])
@pytest.mark.parametrize("n", [2, 4])
def test_zips_that_others_read(function: Any, n: int) -> None:
    refused_or_right(
        function, np.array([0.5, 0.7, 1.1, 1.3])[:n], match="a list of what are no numbers"
    )


def test_none() -> None:
    np.testing.assert_array_equal(grad(to_the_end)(np.zeros(0)), np.zeros(0))
