"""`functools.singledispatch`, and classes that `namedtuple` makes inside of functions."""

import functools
import math
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

from autodiff import grad
from tests.core.differences import check_both_modes

X = np.array([0.5, 1.2, 0.7, 2.0])


@dataclass
class Circle:
    r: float


@dataclass
class Rect:
    a: float
    b: float


class Square(Rect):
    def __init__(self, a):
        super().__init__(a, a)


@functools.singledispatch
def area(shape):
    raise TypeError(f"no area of {shape!r}")


@area.register
def _(shape: Circle):
    return math.pi * shape.r**2


@area.register
def _(shape: Rect):
    return shape.a * shape.b


@area.register(list)
def _(shape):
    return sum(area(each) for each in shape)


@area.register(float)
def _(shape):
    return shape * 2


def of_classes(x):
    return sum(map(area, [Circle(x[0]), Rect(x[1], x[2]), Square(x[3])]))


def of_lists_and_numbers(x):
    return area([Circle(x[0]), [Rect(x[1], x[2])]]) * area(x[3])


def fields_in_a_text(x):
    Pair = namedtuple("Pair", "a b")
    p = Pair(x[0], x[1])
    return p.a * p._replace(b=x[2]).b


def fields_with_defaults(x):
    Pair = namedtuple("Pair", ["a", "b"], defaults=(2.0,))
    p = Pair(x[0])
    a, b = p
    return p.a * p.b * a * b * Pair(*x[:2]).b + len(p._fields) * x[3]


def in_lists(x):
    Pair = namedtuple("Pair", ("a", "b"))
    ps = [Pair(v, v * v) for v in x]
    return sum(p.a * p.b for p in ps) + ps[0]._asdict()["b"]


PROGRAMS = (
    *(of_classes, of_lists_and_numbers),
    *(fields_in_a_text, fields_with_defaults, in_lists),
)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_both_modes_agree_with_differences(f):
    check_both_modes(f, X)


def test_an_error_is_that_of_python():
    def f(x):
        return x[0] if x[1] > 2.0 else area((x[0], x[1]))

    for own in (f, grad(f)):
        with pytest.raises(TypeError):
            own(X)


def test_a_function_that_is_registered_later_is_called():
    @functools.singledispatch
    def scaled(shape):
        return shape.r

    def f(x):
        return scaled(Circle(x)) * 2.0

    derivative = grad(f)
    assert derivative(3.0) == 2.0
    scaled.register(Circle, lambda shape: shape.r**2)
    assert derivative(3.0) == pytest.approx(12.0)
