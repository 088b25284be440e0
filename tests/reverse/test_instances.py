"""A template that was filled in before gives the text that it gives anew."""

from __future__ import annotations

import math
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from autodiff.derivative import Derivative
from autodiff.errors import AutodiffError
from autodiff.reverse import instances

pytestmark = pytest.mark.usefixtures("old_way")


def products(a, b):
    c = a * b
    e = c * a
    return e / b - c**2 * (2.0 * a) + a * a


def constants(a, b):
    return a * 2 + b * 2.0 - a * -0.0 + b * 0.0 + (a + b) ** 1 + b**1.0


def spellings(a, b):
    return np.sin(a) * math.sin(b) + math.sqrt(a) * np.sqrt(b) + abs(a) * max(a, b)


def elsewhere(sine, scale):
    np = sine  # NumPy has another name in the derivative
    return math.exp(np) * math.tanh(scale * np)


def looped(a, b):
    for k in range(3):
        a = a + k * b
        b = b * np.tanh(a)
    return a * b


def shadowing(max, abs):
    return max * abs + math.hypot(max, abs)


FUNCTIONS = [products, constants, spellings, elsewhere, looped, shadowing]
ARGUMENTS = [(0.7, 1.3), (np.float64(0.7), 1.3), (0.7 + 0.2j, 1.3), (np.float32(0.7), 2)]


def text(function: FunctionType, args: tuple[Any, ...]) -> str:
    """The derivative of a copy of the function, since what was compiled is kept."""
    fresh = FunctionType(function.__code__, function.__globals__, function.__name__)
    wrt = tuple(p for p, value in enumerate(args) if not isinstance(value, int))
    try:
        return Derivative(fresh, "vjp", wrt, False, {}).source_for(*args)
    except AutodiffError as error:
        return repr(error)


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> dict[Any, str]:
    """The texts when every template is filled in anew."""
    with monkeypatch.context() as patched:
        patched.setattr(instances, "_key", lambda *_: None)
        return {(f, k): text(f, a) for f in FUNCTIONS for k, a in enumerate(ARGUMENTS)}


def test_what_was_filled_in_before_reads_the_same(anew: dict[Any, str]) -> None:
    instances._instances.clear()
    for _ in range(2):  # the second time, all of them were seen before
        found = {(f, k): text(f, a) for f in FUNCTIONS for k, a in enumerate(ARGUMENTS)}
        assert found == anew
    assert len(instances._instances) > 20


def test_another_order_of_programs(anew: dict[Any, str]) -> None:
    instances._instances.clear()
    found = {(f, k): text(f, ARGUMENTS[k]) for f, k in reversed(anew)}
    assert found == anew


def test_no_more_are_kept_than_are_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instances, "_LARGEST", 3)
    instances._instances.clear()
    for function in FUNCTIONS:
        text(function, ARGUMENTS[0])
        assert len(instances._instances) <= 3
