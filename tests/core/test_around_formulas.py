"""What packages do around their formulas: switches, checks of types, cached lookups of modes."""

from __future__ import annotations

import functools
import math
from abc import ABC, abstractmethod
from collections import UserList
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
    if word.lower() not in [each.lower() for each in words]:
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


def by_dtype(x):
    own = np.float64
    y = np.array([x, x**2]).reshape(-1, 1)
    if y.dtype.kind == "O":
        own = "O"
    return np.sum(y.astype(own)) if y.dtype == np.float64 and y.dtype.kind in "fc" else x


def by_shape(x):
    y = np.array([x, 2.0 * x])
    if y.shape == (3,) or y.shape == (1, 2):
        return np.sum(y) * y[2]
    return np.sum(y * y) if y.shape == (2,) and y.shape != (2, 1) else x


def by_a_flag(x):
    total = 0.0
    for each in np.array([x, 3.0]):
        total += each * each
    if SYMBOLIC and isinstance(total, SYMBOLS):
        return total.upper()
    return np.sqrt(total)


class Shape(ABC):
    scale = 2.0

    @abstractmethod
    def area(self): ...

    def twice(self):
        return 2.0 * self.area()


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side * self.side * self.scale


class Rows(UserList):
    def __init__(self, data=None):
        super().__init__()
        if data is not None:
            self.data = [each for each in data]

    @classmethod
    def of(cls, x):
        return cls([np.array([x, 2.0 * x]), x])


class Doubled(Rows):
    @classmethod
    def of(cls, x):
        return super().of(2.0 * x)


class Counted:
    def __new__(cls, *given):
        made = super().__new__(cls)
        made.count = len(given)
        return made

    def __init__(self, value):
        self.value = value


class Chosen:
    def __new__(cls, x):
        return Counted(x) if x > 0.0 else Counted(-x)


class Made:
    def __new__(cls, x):
        return object.__new__(MadeInstead if cls is Made else cls)

    def __init__(self, x):
        self.value = 2.0 * x


class MadeInstead(Made):
    def __init__(self, x):
        self.value = 5.0 * x


def of_a_class_that_makes_another(x):
    return Made(x).value * x


def of_an_abstract_class(x):
    shapes = [Square(x), Square(2.0 * x)]
    return sum(each.twice() for each in shapes if isinstance(each, Shape))


def of_a_list_of_ones_own(x):
    made = Doubled.of(x)
    return np.sum(made.data[0]) * len(made) * made[1] if type(made) == Doubled else x  # noqa: E721


def of_a_class_with_new(x):
    return Counted(x).value ** 2 * Counted(3.0).count + Chosen(x).value


def without_an_area(x):
    try:
        Shape()
    except TypeError:
        return x * 3.0
    return x


def scaled_twice(x):
    return scaled(x) * 2.0


def scaled_by_a_number(x):
    return scaled(3.0) * x


@pytest.mark.parametrize(
    "f",
    [
        switched,
        checked,
        pytest.param(by_mode, marks=pytest.mark.followed),
        pytest.param(cached, marks=pytest.mark.followed),
        by_nodes,
        by_a_number,
        by_dtype,
        by_shape,
        by_a_flag,
        of_an_abstract_class,
        of_a_list_of_ones_own,
        of_a_class_with_new,
        of_a_class_that_makes_another,
        without_an_area,
    ],
)
def test_packages(monkeypatch: pytest.MonkeyPatch, f: Callable[..., Any]) -> None:
    text = check(monkeypatch, f, 0.5)
    if f is switched:
        assert "upper" not in text  # one constant on all paths
    if f in (by_shape, by_a_flag):
        code = "".join(line for line in text.splitlines() if "#" not in line)
        assert not {"if", "dtype", "shape"} & set(code.replace(".", " ").split())


@pytest.mark.parametrize(
    ("f", "error"),
    [(checked_in_vain, TypeError), (by_unknown_mode, ValueError)],
    ids=["type", "mode"],
)
def test_what_is_raised(f: Callable[..., Any], error: type[Exception]) -> None:
    with pytest.raises(error, match="number|none of"):
        grad(f)(0.5)


@pytest.mark.followed
def test_a_mode_that_is_set() -> None:
    assert grad(with_a_mode_that_is_set)(0.5) == -2.0 * np.sin(0.5)
    assert mode == "sine"


def test_a_cached_function_that_sees_more() -> None:
    with pytest.raises(AutodiffError):
        grad(scaled_twice)(0.5)
    assert grad(scaled_by_a_number)(0.5) == 6.0


LIMITS = {"high": 1.0}


def behind_a_lookup(x):
    if LIMITS["low"] > 0.0 and isinstance(x, str):
        return x.upper()
    return x * 2.0


def test_a_lookup_that_fails_is_not_left_out() -> None:
    with pytest.raises(KeyError):
        grad(behind_a_lookup)(0.5)


class Single:
    one: Any = None

    def __new__(cls, *_):
        if cls.one is None:
            cls.one = super().__new__(cls)
        return cls.one

    def __init__(self, value):
        self.value = value


def of_the_same_object(x):
    one, other = Single(x), Single(2.0 * x)
    return one.value * other.value


def test_an_object_of_outside_that_is_begun_again() -> None:
    assert of_the_same_object(0.5) == 1.0
    with pytest.raises(AutodiffError):
        grad(of_the_same_object)(0.5)


WORDS = {"sine", "cosine"}


def by_a_set_that_changes(x):
    y = x**2 if "sine" in WORDS else x
    WORDS.discard("sine")
    return y * (x if "sine" in WORDS else 3.0)


def by_a_set(x):
    return x**2 if "cosine" in WORDS else x


def test_a_set_of_outside() -> None:
    derivative = grad(by_a_set)
    assert derivative(0.5) == 1.0
    WORDS.discard("cosine")
    assert derivative(0.5) == 1.0 and grad(by_a_set)(2.0) == 1.0
    WORDS.add("cosine")
    assert derivative(2.0) == 4.0
    with pytest.raises(AutodiffError):
        grad(by_a_set_that_changes)(0.5)
    assert "sine" in WORDS
