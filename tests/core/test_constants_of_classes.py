"""Enumerations, classes that are asked about, texts that are filled in, fields that are set."""

from __future__ import annotations

import dataclasses
import enum
import types
from typing import Any

import numpy as np
import pytest

from autodiff import grad
from autodiff.pipeline import assembly
from tests.core.differences import check

NUMBERS = (int, float, np.floating)
SEVERAL = (NUMBERS, np.ndarray)
HELD = types.SimpleNamespace(kinds=(list, tuple), either=int | float)


class Units(enum.Enum):
    SI = "SI"
    IP = "IP"
    FACTOR = 2.5


class Word(str, enum.Enum):
    A = "a"


class Count(enum.IntEnum):
    TWO = 2


class Flag(enum.Flag):
    ONE = 1
    TWO = 2


class Text(str):
    pass


TEXT, WORD, COUNT = Text("a"), Word.A, Count.TWO


def of_a_tuple(x: Any) -> Any:
    return x * 2.0 if isinstance(x, NUMBERS) else x * 3.0


def of_tuples(x: Any) -> Any:
    return x * 2.0 if isinstance(x, SEVERAL) else x * 3.0


def of_an_attribute(x: Any) -> Any:
    return x * 2.0 if isinstance([x], HELD.kinds) else x * 3.0


def of_a_union(x: Any) -> Any:
    return x * 2.0 if isinstance(x, HELD.either) else x * 3.0


def of_none_of_them(x: Any) -> Any:
    return x * 2.0 if isinstance((x,), NUMBERS) else x * 3.0


def value_of_a_member(x: Any, units: str = "si") -> Any:
    own = units.value if isinstance(units, Units) else str(units)
    if own.upper() not in (Units.SI.value, Units.IP.value):
        raise ValueError("Units must be '%s' or '%s', not %s" % ("SI", "IP", own))
    return x * Units.FACTOR.value


def raises_a_text(x: Any, n: int = 1) -> Any:
    if n > 1:
        raise ValueError("shape %s, not %d" % (np.shape(x), n))
    return x * len("%03d" % n)


TAKEN = [of_a_tuple, of_tuples, of_an_attribute, of_a_union, of_none_of_them]
TAKEN += [value_of_a_member, raises_a_text]


@pytest.mark.parametrize("function", TAKEN, ids=lambda function: function.__name__)
def test_taken(monkeypatch: pytest.MonkeyPatch, function: Any) -> None:
    check(monkeypatch, function, 1.5)


def test_the_text_of_an_error() -> None:
    with pytest.raises(ValueError, match=r"shape \(\), not 4"):
        grad(raises_a_text)(1.5, 4)


def word_by_default(x: Any, m: Any = Word.A) -> Any:
    return x * 2.0 if m == "a" else x * 3.0


def word_in_a_tuple(x: Any, m: Any = Word.A) -> Any:
    return x * 2.0 if m in ("a", "b") else x * 3.0


def word_that_is(x: Any, m: Any = Word.A) -> Any:
    return x * 2.0 if m is Word.A else x * 3.0


def key(x: Any, m: Any = Word.A) -> Any:
    return x * {"a": 2.0}[m]


def number_by_default(x: Any, m: Any = Count.TWO) -> Any:
    return x**m * (2.0 if m == 2 and m > 1 else 3.0)


def text_by_default(x: Any, m: Any = TEXT) -> Any:
    return x * 2.0 if m == "a" else x * 3.0


def of_outside(x: Any) -> Any:
    return x * 2.0 if WORD == "a" and COUNT == 2 and TEXT == "a" else x * 3.0


def flags(x: Any, m: Any = Flag.ONE | Flag.TWO) -> Any:
    return x * 2.0 if m & Flag.ONE else x * 3.0


def member(x: Any, m: Any = Units.FACTOR) -> Any:
    return x * m.value if m is Units.FACTOR and m != Units.SI else x * 3.0


def in_a_helper(x: Any) -> Any:
    return word_by_default(x) + number_by_default(x) + member(x)


MEMBERS = [word_by_default, word_in_a_tuple, word_that_is, key, number_by_default]
MEMBERS += [text_by_default, of_outside, flags, member, in_a_helper]


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize("function", MEMBERS, ids=lambda function: function.__name__)
def test_members(monkeypatch: pytest.MonkeyPatch, function: Any, checked: bool) -> None:
    monkeypatch.setattr(assembly, "CHECKED", checked)
    slope = (function(1.5 + 1e-6) - function(1.5 - 1e-6)) / 2e-6
    np.testing.assert_allclose(grad(function)(1.5), slope, rtol=1e-6)


@dataclasses.dataclass
class Inputs:
    t: Any = 1.0
    rate: float = 2.0
    seen: list[Any] = dataclasses.field(default_factory=list)

    def __post_init__(self) -> None:
        self.t = self.t * self.scale()

    def scale(self) -> float:
        return 1.0


class Heat(Inputs):
    def __init__(self, t: Any, more: Any) -> None:
        super().__init__(t, rate=3.0)
        self.more = more

    def scale(self) -> float:
        return 2.0


class Cold(Inputs):
    def __init__(self, **given: Any) -> None:
        Inputs.__init__(self, **given)


def test_the_init_of_a_dataclass_above(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x: Any) -> Any:
        one, other = Heat(x, x * x), Cold(t=x, rate=x)
        return one.t * one.rate * one.more + other.t * other.rate + len(one.seen)

    check(monkeypatch, f, 1.5)
