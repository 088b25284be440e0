"""Members of enumerations: Python's operators on them are known, their methods are the user's."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
import pytest

from autodiff import UnsupportedSyntaxError, grad
from tests.core.differences import check


class Law(enum.Enum):
    LINEAR = 1.5
    SQUARE = 2.5

    def of(self, x: Any) -> Any:
        return x * self.value * (2.0 if self is Law.LINEAR else x)


class Alike(enum.Enum):
    ONE = 1
    TWO = 2

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = enum.Enum.__hash__


class Axis(enum.IntEnum):
    ROW = 0
    COLUMN = 1


class Access(enum.IntFlag):
    READ = 4
    WRITE = 2


class Part(enum.Flag):
    ONE = 1
    TWO = 2
    FOUR = 4


class Scale(str, enum.Enum):
    LINEAR = "linear"
    LOG = "log"


def method(x: Any, m: Law) -> Any:
    return m.of(x) + (x if m is Law.SQUARE else x * x)


def comparison_of_its_own(x: Any, m: Alike) -> Any:
    return x * 2.0 if m == Alike.TWO else x * 3.0


def number(x: Any, m: Axis) -> Any:
    a = np.array([[x, 2.0 * x], [3.0 * x, x * x]])
    sums = np.sum(np.sum(a, axis=m) * np.array([1.0, 2.0]))
    return sums + a[m, Axis.ROW] + x ** (m + 1) * max(m, 2) * (2.0 if m > 0 else 3.0)


def flags(x: Any, m: Access) -> Any:
    return x * 2.0 if m & Access.READ else x * 3.0


def parts(x: Any, m: Part) -> Any:
    y = x
    for part in Part:
        if part in m:
            y = y * x
        if m & part and not m ^ part:
            y = y + 1.0
    return y if ~m & Part.TWO else y * 7.0


def text(x: Any, m: Scale) -> Any:
    y = np.log(x) if m.upper() == "LOG" and m.value.startswith("l") else x
    return y * len(m) + (x if m.name == "LOG" else x * x)


class Spoken(str, enum.Enum):
    ONE = "one"

    def __str__(self) -> str:
        return "another"


def written(x: Any, m: Spoken) -> Any:
    return x * 2.0 if f"{m}" == "another" or str(m) == "one" else x * 3.0


def written_by_python(x: Any, m: Scale) -> Any:
    return x * 2.0 if f"{m}".startswith("Scale") else x * 3.0 * len(f"{m.value}")


def key(x: Any, m: Law) -> Any:
    return x * {Law.LINEAR: 1.0, Law.SQUARE: x}[m] + (x if m in (Law.LINEAR, None) else 0.0)


FUNCTIONS = [
    (method, Law),
    (comparison_of_its_own, Alike),
    (number, Axis),
    (flags, Access),
    (parts, Part),
    (text, Scale),
    (key, Law),
]


def said(x: Any, m: Law) -> Any:
    text = f"mode {m}, {m!r}"
    return x * len(text) if str(m) == "Law.LINEAR" else x * x * len(repr(m))


@pytest.mark.parametrize(("function", "cls"), [(said, Law), (written_by_python, Scale)])
def test_how_a_member_is_written(function: Any, cls: Any) -> None:
    for member in cls:
        slope = (function(1.3 + 1e-6, member) - function(1.3 - 1e-6, member)) / 2e-6
        np.testing.assert_allclose(grad(function)(1.3, member), slope, rtol=1e-6)


@pytest.mark.usefixtures("alone")
def test_a_member_that_writes_itself_is_refused() -> None:
    with pytest.raises(UnsupportedSyntaxError, match="written in its own way"):
        grad(written)(1.3, Spoken.ONE)


@pytest.mark.parametrize(("function", "cls"), FUNCTIONS, ids=lambda each: each.__name__)
def test_each_member(function: Any, cls: Any) -> None:
    derivative = grad(function)
    for member in cls:
        slope = (function(1.3 + 1e-6, member) - function(1.3 - 1e-6, member)) / 2e-6
        np.testing.assert_allclose(derivative(1.3, member), slope, rtol=1e-6)


def test_a_member_that_a_library_is_given_is_spelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no literal."""

    def f(x: Any) -> Any:
        return np.sum(np.array(x, copy=np._CopyMode.IF_NEEDED) ** 2)

    assert "_CopyMode.IF_NEEDED" in check(monkeypatch, f, np.array([0.7, 1.3]))
