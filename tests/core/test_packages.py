"""What packages do around their formulas: switches, checks of types, cached lookups of modes."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, grad
from tests.core.differences import check

SYMBOLIC = True
SYMBOLS = (str,)
NUMBERS = int | float
SCALE = 2.0
mode: Any = "sine"


def is_symbol(x):
    if SYMBOLIC:
        if isinstance(x, (list, tuple)):
            return any([isinstance(each, SYMBOLS) for each in x])
        return isinstance(x, SYMBOLS)
    return False


def switched(x):
    if is_symbol(x):
        return x.upper()
    return math.cos(x) * x


def attest(condition, message=""):
    if not condition:
        raise TypeError(message)


def checked(x):
    attest(float in NUMBERS.__args__, "a number")
    return math.sin(x)


def checked_in_vain(x):
    attest(complex in NUMBERS.__args__, "a number")
    return math.sin(x)


@functools.cache
def validated(word, words):
    own = [each.lower() for each in words]
    if word.lower() not in own:
        raise ValueError(f"{word} is none of {words}")
    return word.lower()


@functools.lru_cache(maxsize=None)
def square(x):
    return x * x


@functools.cache
def scaled(x):
    return SCALE * x


@functools.cache
def nodes(n):
    return np.polynomial.legendre.leggauss(n)


@functools.cache
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def by_mode(x):
    if validated("Sine", ("Sine", "Cosine")) == "sine":
        return np.sin(x)
    return np.cos(x)


def by_unknown_mode(x):
    return x if validated("Tangent", ("Sine", "Cosine")) == "tangent" else 2.0 * x


def cached(x):
    return square(x * 2.0) + square(x) * x


def by_nodes(x):
    points, weights = nodes(3)
    total = 0.0
    for i in range(3):
        total += weights[i] * np.exp(x * points[i])
    return total


def by_a_number(x):
    return fibonacci(60) * x**2


def set_mode(own):
    global mode
    mode = validated(own, ("Sine", "Cosine"))


def with_a_mode_that_is_set(x):
    set_mode("Cosine")
    found = np.cos(x) if mode == "cosine" else np.sin(x)
    set_mode("Sine")
    return found * (2.0 if mode == "sine" else 3.0)


def scaled_twice(x):
    return scaled(x) * 2.0


def scaled_by_a_number(x):
    return scaled(3.0) * x


@pytest.mark.parametrize("f", [switched, checked, by_mode, cached, by_nodes, by_a_number])
def test_packages(monkeypatch: pytest.MonkeyPatch, f: Callable[..., Any]) -> None:
    text = check(monkeypatch, f, 0.5)
    if f is switched:
        assert "upper" not in text  # one constant on all paths
    if f is by_mode:
        assert "np.cos(x)" in text and "if" not in text.split()


@pytest.mark.parametrize(
    ("f", "error"), [(checked_in_vain, TypeError), (by_unknown_mode, ValueError)], ids=str
)
def test_what_is_raised(f: Callable[..., Any], error: type[Exception]) -> None:
    with pytest.raises(error, match="number|none of"):
        grad(f)(0.5)


def test_a_mode_that_is_set() -> None:
    assert grad(with_a_mode_that_is_set)(0.5) == -2.0 * np.sin(0.5)
    assert mode == "sine"


def test_a_cached_function_that_sees_more() -> None:
    with pytest.raises(AutodiffError):
        grad(scaled_twice)(0.5)
    assert grad(scaled_by_a_number)(0.5) == 6.0
