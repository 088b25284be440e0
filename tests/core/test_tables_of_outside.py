"""Items of many in a dict outside, found when it runs: each is a container or an array; and texts
that are one of several by path, as their keys.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autodiff import UnsupportedSyntaxError, grad
from autodiff.pipeline import assembly
from tests.core.differences import check

LISTS = {c: [1.0 * k] * (k + 2) for k, c in enumerate("abcdefghijklmnop")}
PAIRS = {c: [(1.0 * k, 2.0 + k)] * (k + 1) for k, c in enumerate("abcdefghijklmnop")}
TUPLES = {c: (0.5 * k, k, None if k == 3 else 3) for k, c in enumerate("abcdefghijklmnop")}
ARRAYS = {k: np.arange(k + 1.0) + 1 for k in range(16)}


def key(x: float) -> str:
    return "a" if x > 1.0 else "b" if x > 0.9 else "c"


def lists(x: float) -> float:
    total = 0.0
    for v in LISTS[key(x)]:
        total += v * x
    return total + LISTS["d"][1] * LISTS[key(x)][-1] * x


def pairs(x: float) -> float:
    total = 0.0
    for i, (a, b) in enumerate(PAIRS[key(x)]):
        total += a * x + b * x ** (i + 1)
    return total


def tuples(x: float) -> float:
    a, k, power = TUPLES[key(x)]
    return a * x**k + x**power


def arrays(x: float) -> float:
    w = ARRAYS[int(3 * x)]
    return float(w @ w) * x + w[0] * ARRAYS[3][1] * x**2


def text_as_keys(x: float) -> float:
    held, word = {"a": x, "b": x * x, "c": x**3}, ""
    if x > 2.0:
        word = "ab"
    elif x > 0.9:
        word = "bc"
    elif x > 0.0:
        word = "ca"
    return held[word[0]] - 2.0 * held[word[1]] if word else x


@pytest.mark.parametrize("x", [0.4, 0.95, 1.2, 2.5, -0.5])
@pytest.mark.parametrize(
    "f", [lists, pairs, pytest.param(tuples, marks=pytest.mark.followed), arrays, text_as_keys]
)
def test_items_found_when_it_runs(monkeypatch: pytest.MonkeyPatch, f: Any, x: float) -> None:
    if f is arrays and not 0.0 < x < 1.3:
        return
    check(monkeypatch, f, x)


@pytest.mark.followed
def test_what_they_hold_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "CHECKED", True)
    own = {"a": [1.0, 2.0], "b": [3.0]}

    def f(x: float) -> float:
        return sum(own["a" if x > 1.0 else "b"]) * x

    derivative = grad(f)
    assert derivative(0.5) == 3.0
    own["b"][0] = 4.0
    assert derivative(0.5) == 4.0
    own["b"].append(2.0)
    assert derivative(0.5) == 6.0


def stored(x: float) -> float:
    LISTS[key(x)][0] = x * x
    return LISTS[key(x)][0]


def stored_by_another_name(x: float) -> float:
    row = LISTS[key(x)]
    row[0] = 2.0
    y = x * LISTS["c"][0]
    row[0] = 1.0
    return y + row[0] * x


def stored_into_an_array(x: float) -> float:
    row = ARRAYS[int(x * 3.0)]
    row[0] = 2.0
    y = x * ARRAYS[2][0]
    row[0] = 1.0
    return y + row[0] * x


@pytest.mark.parametrize("f", [stored, stored_by_another_name, stored_into_an_array])
def test_what_changes_there_is_refused(f: Any) -> None:
    with pytest.raises(UnsupportedSyntaxError, match="memory of outside is changed"):
        grad(f)(0.7)
