"""`hasattr` says what Python says, and an unset slot is an attribute that is missing."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad
from autodiff.errors import UnsupportedSyntaxError
from tests.core.differences import check
from tests.core.judge import MODES, judge


class Cached:
    """What fills its slots when they are asked for."""

    __slots__ = ("_area", "side")

    def __init__(self, side):
        self.side = side

    def area(self):
        try:
            return self._area
        except AttributeError:
            pass
        self._area = self.side * self.side
        return self._area

    def first(self):
        return self._area if hasattr(self, "_area") else 3.0 * self.side


def asks_its_slots(x):
    square = Cached(x)
    first = square.first()
    return first * square.area() + square.first()


class Plain:
    def __init__(self, side):
        self.side = side


def asks_what_only_classes_have(x):
    plain, found = Plain(x), x * x
    if hasattr(plain, "__call__") or hasattr(plain, "mro") or hasattr(x, "__call__"):
        found = found * 100.0
    if hasattr([x], "__call__") or hasattr((x,), "shape") or hasattr(None, "shape"):
        found = found * 100.0
    try:
        found = found * plain.__name__
    except AttributeError:
        found = found * 2.0
    return found * getattr(plain, "__qualname__", x)


def scaled(u):
    return u * u


def asks_a_function(x):
    def inner(v):
        return v * v

    found = scaled(x) if hasattr(scaled, "names") else inner(x) * x
    return found * 7.0 if hasattr(inner, "names") else found


def asks_what_may_be_a_number(x, axis):
    found = np.squeeze(np.sum(x.reshape(axis), axis=0))
    if hasattr(found, "shape") and hasattr(found, "real"):
        return np.sum(found * found)
    return found * 3.0


def test_as_python_says():
    for function in (asks_its_slots, asks_what_only_classes_have, asks_a_function):
        assert judge(function, [(2.0,)], ("x",), modes=(*MODES, "jvp")).what == "right"
    x = np.array([1.0, 2.0, 3.0, 4.0])
    for axis in ((2, 2), (4, 1)):
        assert judge(asks_what_may_be_a_number, [(x, axis)], ("x",)).what == "right"


def test_an_attribute_of_a_function_may_come_later():
    slope = grad(asks_a_function)
    assert slope(2.0) == 12.0
    scaled.names = ("u",)
    try:
        assert slope(2.0) == 4.0
    finally:
        del scaled.names
    assert slope(2.0) == 12.0


def of_a_number_of_unknown_class(x):
    v = x[0] if x[1] > 5.0 else 3
    return x[1] * (2.0 if hasattr(v, "numerator") else 3.0) * v


def test_a_number_of_unknown_class_is_asked_when_it_runs(monkeypatch):
    for x in ([0.7, 1.3], [0.7, 5.3]):
        check(monkeypatch, of_a_number_of_unknown_class, np.array(x))


def of_what_stands_for_another(x):
    series = np.polynomial.Polynomial(x)
    return series(2.0) if hasattr(series, "window") else series(1.0)


def compared_with_another(x):
    one, other = np.polynomial.Polynomial(x), np.polynomial.Polynomial(x)
    return one(2.0) if one == other else one(1.0)


def asked_for_more(x):
    series = np.polynomial.Polynomial(x)
    try:
        return series.domain[1] * series(2.0)
    except AttributeError:
        return series(1.0)


@pytest.mark.parametrize(
    "function", [of_what_stands_for_another, compared_with_another, asked_for_more]
)
def test_what_stands_for_another_says_nothing_of_what_that_has(function):
    with pytest.raises(UnsupportedSyntaxError):
        grad(function)(np.array([0.5, 0.2]))
