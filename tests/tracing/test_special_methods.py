"""Special methods in followed runs: operators of array classes that ask `super()`, of sequences
beside a class that takes them, and what a text asks of an object.
"""

from __future__ import annotations

from collections import deque
from enum import Enum

import numpy as np
import pytest

from tests.core.differences import check_both_modes
from tests.tracing.alone import followed_alone

X = np.array([1.5, 2.0, 3.0])


class Own(np.ndarray):
    def __mul__(self, other):
        return super().__mul__(other) + 1.0

    __rmul__ = __mul__

    def __pow__(self, n):
        return super().__pow__(n)

    def __rsub__(self, other):
        return super().__rsub__(other)

    def __neg__(self):
        return super().__neg__() * 2

    def __lt__(self, other):
        return super().__lt__(other)

    def __imul__(self, other):
        return super().__imul__(other)

    def __iadd__(self, other):
        super().__iadd__(other)
        return self

    def __abs__(self):
        return super().__abs__()

    def __array_finalize__(self, obj):
        return super().__array_finalize__(obj)


class Thrice(np.ndarray):
    def __array_ufunc__(self, ufunc, method, *inputs, **more):
        inputs = [np.asarray(own) if isinstance(own, Thrice) else own for own in inputs]
        return 3.0 * getattr(ufunc, method)(*inputs, **more)

    def __pow__(self, n):
        return super().__pow__(n)

    def __radd__(self, other):
        return super().__radd__(other)


def product(x):
    return np.sum(x.view(Own) * 2.0 + 3.0 * x.view(Own))


def powers(x):
    return np.sum(x.view(Own) ** 3) + np.sum(x.view(Thrice) ** 2)


def differences(x):
    return np.sum((1.0 - x.view(Own)) * x) + np.sum((2.0 + x.view(Thrice)) * x)


def negated(x):
    return np.sum(np.asarray(-x.view(Own)) ** 2) + np.sum(np.asarray(abs(x.view(Own))) ** 3)


def chosen(x):
    own = x.view(Own)
    return np.sum(np.asarray(own)[np.asarray(own < 2.5)] ** 2)


def in_place(x):
    own = (x * 1.0).view(Own)
    own *= 3.0
    own += x
    return np.sum(np.asarray(own) ** 2)


class Unit:
    def __init__(self, scale):
        self.scale = scale

    def __rmul__(self, other):
        return [self.scale * each for each in other]

    def __radd__(self, other):
        return [*other, self.scale]


class Declining(Unit):
    def __rmul__(self, other):
        return NotImplemented


def list_times_a_unit(x):
    y = [x[0], x[1] * x[2]] * Unit(x[2])
    return y[0] * y[1]


def tuple_and_a_unit(x):
    y = (x[0], x[1]) + Unit(x[2])
    return y[0] * y[1] * y[2]


def list_times_what_declines(x):
    try:
        return ([x[0]] * Declining(x[1]))[0]
    except TypeError:
        return x[2] ** 2


class Colour(str, Enum):
    RED = "red"


def member_of_an_enum_in_a_text(x):
    held = deque([x[0]])
    return held[0] ** 2 if "red wine".startswith(Colour.RED) else held[0] ** 3


class Length:
    def __init__(self, metres):
        self.metres = metres

    def __str__(self):
        return f"{self.metres:.2f} m"

    def __format__(self, way):
        return f"{self.metres:{way}} m"


def length_in_a_text(x):
    own = Length(x[0] + 10)
    return x[0] ** 2 * len("{0:8.3f}|{1}|{0!s}|{0.metres:.1f}".format(own, 2.0))


@pytest.mark.parametrize(
    "program",
    [
        product,
        powers,
        differences,
        negated,
        chosen,
        in_place,
        list_times_a_unit,
        tuple_and_a_unit,
        list_times_what_declines,
        member_of_an_enum_in_a_text,
        length_in_a_text,
    ],
    ids=lambda own: own.__name__,
)
def test_both_modes(program):
    check_both_modes(program, X)
    with followed_alone():
        check_both_modes(program, X)
