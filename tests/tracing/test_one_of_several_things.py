"""What loops carry that is one of several functions, or `None` or a number in a part of a container
(`flow/optional.py`).
"""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad
from tests.core.differences import check
from tests.language.programs.effects_in_tests import a_callback

V = np.array([0.3, 0.7, 1.1])


class Best:
    def __init__(self):
        self.value = None
        self.place = None


def half(v):
    return v * 0.5


def of_functions(x, n):
    f, p = np.sin, x[0]
    for k in range(n):
        p = f(p) * x[1]
        f = np.cos if k % 2 else half
    return f(p)


def one_after_the_other(x, n):
    f, p = np.sin, x[0]
    for k in range(n):
        p = f(p) + x[1]
        if k % 2:
            if f is np.sin:
                f = np.cos
            elif f is np.cos:
                f = half
    return f(p)


def or_none(x, n):
    f, p = None, x[0]
    for k in range(n):
        if f is not None:
            p = f(p) + x[1]
        if p > 0.5:
            f = half if k % 2 else np.sin
    return p


def in_attributes(x, n):
    best, other = Best(), None
    other = best
    for k in range(n):
        v = x[k % 3] * k
        if other.value is None or v > best.value:
            if k > 0:
                best.value = v
                best.place = k % 3
    return x[0] if best.place is None else other.value * x[other.place]


def none_again(x, n):
    table = {"v": None, "w": None}
    f, p = np.sin, x[0]
    for k in range(n):
        if k == 1:
            table["v"] = None
        if k % 2:
            f = np.cos
        p = f(p)
        table["w"] = x[k % 3] if k % 2 else None
        if table["w"] is not None:
            p = p * table["w"]
    return p if table["v"] is None else x[0]


@pytest.mark.parametrize(
    "function", [none_again, of_functions, one_after_the_other, or_none, in_attributes]
)
@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_carried(monkeypatch: pytest.MonkeyPatch, function, n: int) -> None:
    check(monkeypatch, function, V, n)


def test_carried_under_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, a_callback, V)


def text_left(x, n):
    s = x[0]
    for k in range(n):
        t = "ab" if k % 2 else "abc"
        s = s * x[1] * len(t)
    return s if t == "ab" else s * s


def function_left(x, n):
    p = x[0]
    for k in range(n):
        f = np.sin if k % 2 else np.cos
        p = f(p)
    return f(p) * x[1]


def none_left(x, n):
    s = x[0]
    for k in range(n):
        v = None
        if k > 1:
            v = s
        s = s * x[1]
    return s if v is None else v * s


@pytest.mark.parametrize("function", [text_left, function_left, none_left])
@pytest.mark.parametrize("n", [1, 2, 4])
def test_read_behind_the_loop(monkeypatch: pytest.MonkeyPatch, function, n: int) -> None:
    check(monkeypatch, function, V, n)
    with pytest.raises(UnboundLocalError):
        grad(function)(V, 0)


def none_before_another_loop(x, n):
    table, best = {"i": None}, Best()
    for _ in range(n):
        best.value = 0.7
        for k in range(2):
            best.value = x[k % 3] if x[0] > 0.4 else x[0] * x[1]
            table["i"] = k
    return x[0] if best.value is None else best.value * x[1]


def test_what_was_none_when_a_loop_was_lowered_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The adjoint of what the inner loop carries was lost."""
    check(monkeypatch, none_before_another_loop, V, 3)
