"""What code of the user's does that stands behind an operator, an attribute or a store."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, grad
from tests.core.differences import check

# Augmented assignment ends with a store, which code of the user's may answer ----------------------


class Angle:
    @property
    def degrees(self) -> Any:
        return np.degrees(self.radians)

    @degrees.setter
    def degrees(self, value: Any) -> None:
        self.radians = np.radians(value)


class Tripling:
    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value * 3)


class Doubling:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __getitem__(self, key: str) -> Any:
        return self.v * 2

    def __setitem__(self, key: str, value: Any) -> None:
        self.v = value / 2


class Listed:
    @property
    def items(self) -> Any:
        return list(self.own)

    @items.setter
    def items(self, value: Any) -> None:
        self.own = value


def by_a_property(x: Any) -> Any:
    a = Angle()
    a.radians = x
    a.degrees += 90.0
    return np.sum(np.sin(a.radians))


def by_setattr(x: Any) -> Any:
    a = Tripling()
    a.v = x
    a.v += 1.0
    return np.sum(a.v)


def by_setitem(x: Any) -> Any:
    a = Doubling(x)
    a["k"] += 1.0
    return np.sum(a.v)


def by_a_copy(x: Any) -> Any:
    a = Listed()
    a.items = [x[0]]
    a.items += [x[1]]
    return sum(a.own)


@pytest.mark.parametrize("f", [by_a_property, by_setattr, by_setitem, by_a_copy])
def test_updates_are_stored(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, f, np.array([0.7, -1.3, 0.4]))


def test_an_update_in_a_tuple_is_an_error() -> None:
    def f(x: Any) -> Any:
        t = (x * 2, 1.0)
        t[0] += 1.0
        return np.sum(t[0])

    with pytest.raises((TypeError, AutodiffError)):
        grad(f)(np.ones(3))


# What a method of a number gives is of the type that it is asked for ------------------------------


def as_an_integer(x: Any) -> Any:
    return x[2].astype(int) * x[0]


def as_a_named_integer(x: Any) -> Any:
    return (3 * x).sum().astype("int64") * x[0]


def as_a_bool(x: Any) -> Any:
    return x[2].astype(bool) * x[0]


def as_a_double(x: Any) -> Any:
    return x[2].astype(float) * x[0].round(1) * x[0]


@pytest.mark.parametrize("f", [as_an_integer, as_a_named_integer, as_a_bool, as_a_double])
def test_numbers_of_a_type(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, f, np.array([0.73, -1.3, 3.4]))
