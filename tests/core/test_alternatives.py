"""What is one of several constants by path, or of known size (`lower/entries/alternatives.py`)."""

from __future__ import annotations

from copy import copy, deepcopy
from typing import Any

import numpy as np
import pytest

from autodiff import grad
from tests.core.judge import MODES, judge


class State:
    """What is computed is found from what is given."""

    given = {"T": 0.0, "P": 0.0, "x": None, "h": None}
    pair, message, h = "", "nothing is known", None

    def __init__(self, **given: Any) -> None:
        self.given = State.given.copy()
        self.given.update(given)
        if self.calculable:
            self.message = "solved"
            self.calculate()

    @property
    def calculable(self) -> str:
        self.pair = ""
        if self.given["T"] and self.given["P"]:
            self.pair = "TP"
        elif self.given["P"] and self.given["h"] is not None:
            self.pair = "Ph"
        elif self.given["T"] and self.given["x"] is not None:
            self.pair = "Tx"
        return self.pair

    def calculate(self) -> None:
        one, other = self.given[self.pair[0]], self.given[self.pair[1]]
        if self.pair == "TP":
            self.h = one * other
        elif self.pair == "Ph":
            self.h = memoryview(other)
        elif self.pair == "Tx":
            self.h = one * other * other


def two_of_four(x, a):
    return State(T=x, P=5.0).h * a


def another_two(x, a):
    return State(T=a, x=x).h * a


def a_text_for_a_test(x, a):
    kind = "up" if x > 1.0 else "down"
    y = x * a
    if kind == "left":
        y = memoryview(y)
    if kind != "up":
        y = y * a
    for _ in range(2):
        y = y * x if kind == "down" else y + a
    return y


def numbers_by_path(x, a):
    region = 1 if x > 1.0 else 2 if x > 0.5 else 5
    if region > 5 or region < 1:
        return memoryview(x)
    if region == 2:
        return x * a
    return x * region + a * a


def changed_on_the_way(x, a):
    kind = "up" if x > 1.0 else "down"
    for _ in range(2):
        if kind == "up":
            a = a * x
        kind = "up" if a > 1.0 else "down"
    return a * x


def of_one_element(x, a):
    y, z = np.asarray(x)[()] * a, np.atleast_1d(a)
    if np.size(y) > 1 or z.size != 1:
        y[0] = 3.0
    return y * z[0]


def copies_of_either(x, a):
    y, k = x * np.ones(3), 0
    while k < 4:
        if k == 3 and a > 1.0:
            y = a * x
            break
        z = copy(y)
        y = np.sin(z) * a
        z *= 2.0
        y, k = y + z, k + 1
    one, two = deepcopy([y, y])
    return np.sum(one * two) + np.sum(y)


class Held:
    v = None


def array_number_or_none(x, a):
    held = Held()
    if x > 0.6:
        held.v = (np.array([x, a]) if x > 1.0 else x) * a
    if held.v is None:
        return x * a
    return np.sum(held.v * held.v)


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(two_of_four, marks=pytest.mark.followed),
        pytest.param(another_two, marks=pytest.mark.followed),
        *(a_text_for_a_test, numbers_by_path, changed_on_the_way),
        pytest.param(copies_of_either, marks=pytest.mark.followed),
        *(of_one_element, array_number_or_none),
    ],
)
def test_right(function):
    points = [(1.3, 0.7), (0.7, 1.2), (0.4, 2.0)]
    assert judge(function, points, ("x", "a"), (*MODES, "jvp")).what == "right"


def test_what_nobody_reaches_is_not_lowered():
    function = grad(a_text_for_a_test)
    function(1.3, 0.7)
    assert "memoryview" not in function.source and '"up"' not in function.source


def among_nothing(x, a):
    names: list[float] = []
    y = x * a
    if y in names:
        return x
    return y * y if y not in () else x


def test_nothing_is_in_what_is_empty():
    assert judge(among_nothing, [(1.3, 0.7)], ("x", "a"), (*MODES, "jvp")).what == "right"
