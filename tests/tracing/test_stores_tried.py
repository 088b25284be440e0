"""Stores in a `try` of what may raise (`lower/statement/prefix.py`): the value comes first."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.core.judge import MODES, judge


def risky(x):
    if x > 2.0:
        raise ValueError("too large")
    return math.log(x)


class Part:
    """An object with a part that may refuse a value, behind what it has changed."""

    def __init__(self):
        self.plain, self._v, self.count = 1.0, 2.0, 0.0

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        self.count += value
        if value > 1.5:
            raise ValueError
        self._v = value

    def __setitem__(self, key, value):
        self.v = value

    def __iadd__(self, value):
        self.v = value
        return self


def attribute(x):
    part = Part()
    try:
        part.plain = risky(x)
    except ValueError:
        part.plain = x * x
    return part.plain * x


def items(x):
    y = np.array([5.0, 1.0])
    try:
        y[0] = risky(x)
        y[1] = risky(x * 1.5) * 2
    except ValueError:
        y[1] = x * x
    return y[0] * y[1] * x


def two_targets(x):
    y, k = np.zeros(2), 0
    try:
        y[k] = y[1] = risky(x)
    except ValueError:
        y[1] = x * x
    return y[0] * y[1] * x + y[1]


@pytest.mark.parametrize("function", [attribute, items, two_targets])
def test_right(function):
    points = [(1.3,), (1.9,), (2.2,)]
    assert judge(function, points, ("x",), (*MODES, "jvp")).what == "right"


def by_a_setter(x):
    part = Part()
    try:
        part.v = x
    except ValueError:
        part._v = 3.0 * x
    return part.v * part.count + x


def by_an_item(x):
    part, k = Part(), 1.0
    try:
        part[0] = x
    except ValueError:
        k = 3.0 * x
    return part.count * k


def by_an_update(x):
    part, k = Part(), 1.0
    try:
        part += x
    except ValueError:
        k = 3.0 * x
    return part.count * k


def by_a_call_and_a_setter(x):
    part = Part()
    try:
        part.v = risky(x)
    except ValueError:
        part._v = 3.0 * x
    return part.v * part.count + x


@pytest.mark.parametrize(
    "function", [by_a_setter, by_an_item, by_an_update, by_a_call_and_a_setter]
)
def test_what_the_users_code_changed_before_is_not_lost(function):
    points = [(1.3,), (1.9,), (2.2,), (5.0,)]
    assert judge(function, points, ("x",), (*MODES, "jvp")).what in ("right", "not yet")
