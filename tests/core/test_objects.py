"""Objects that are copied, combined, written as text; methods by which classes answer builtins."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
from functools import cached_property

import numpy as np
import pytest

from autodiff import AutodiffError, grad
from tests.core.judge import Verdict, judge, programs

X, A = 0.7, np.array([0.5, 0.3, -0.6])
W = np.array([1.0, 0.5, 2.0])
LIMIT = 1.0


class State:
    n = 1.0


@dataclasses.dataclass
class Body:
    place: np.ndarray
    speed: float
    mass: float = 2.0

    def __post_init__(self):
        self.energy = self.mass * self.speed**2


class Length:
    calls = 0

    def __init__(self, value):
        self.value, self.asked = value, 0

    def __add__(self, other):
        return type(self)(self.value + 2.0 * other.value)

    def __neg__(self):
        self.asked += 1
        return type(self)(-self.value * self.asked)

    def __abs__(self):
        self.asked += 1
        return self.value**2

    def __float__(self):
        return self.value * 3.0

    def __round__(self, digits):
        return self.value * digits

    def __len__(self):
        return 4

    def __repr__(self):
        self.asked += 2
        return "long" if self.asked > 2 else "short"

    @cached_property
    def square(self):
        self.asked += 1
        return self.value**2


class Plain(Length):
    pass


class Copied(Length):
    def __copy__(self):
        return Copied(self.value * 5.0)


def copied(x, a):
    body = Body(a * 1.0, x)
    other = copy.copy(body)
    other.speed = other.speed * x
    other.place[0] = x
    other.place = other.place * 2.0
    return np.sum(body.place * other.place) * body.speed * other.speed * other.energy


def copied_lists(x, a):
    one = [x, [x * 2.0]]
    two = copy.copy(one)
    two[0] = a[0]
    two[1][0] = two[1][0] * a[1]
    three = copy.copy({"k": two})
    three["k"].append(x)
    return one[0] * two[0] * one[1][0] * len(two)


def copied_in_its_own_way(x, a):
    one = Copied(x)
    two = copy.copy(one)
    two.value = two.value * a[0]
    return one.value * two.value


def replaced(x, a):
    body = Body(a, x)
    for _ in range(3):
        body = dataclasses.replace(body, speed=body.speed * x, place=body.place + body.energy)
    return np.sum(body.place) * body.speed + body.energy


def signs(x, a):
    one = Length(x)
    two = -one
    three = -(-one) + two
    return one.value * two.value * three.value * one.asked


def builtins(x, a):
    one = Length(x)
    t = abs(one) * float(one) * round(one, 2) * len(one)
    return t * abs(one) * one.asked


def classes(x, a):
    one = type(Plain(x))(a[0]) + Length(x)
    kind = type(one).__name__
    return one.value * (2.0 if kind == "Plain" else 3.0)


def texts(x, a):
    one = Length(x)
    first = f"{one}!"
    second = str(one) + "?"
    return one.value * one.asked * len(first) * len(second)


def cached(x, a):
    one = Length(x)
    first = one.square
    one.value = a[0]
    return first * one.square * one.value * one.asked


def parts_of_complex(x, a):
    u = np.zeros(3, dtype=complex)
    u.real = a * x
    u.imag[:] = a[::-1]
    u.imag = u.imag * x
    u[1:] *= u[:-1]
    u.real = 2.0
    return np.sum(u.real**2 + u.imag)


def asked_of_numbers(x, a):
    s = 1.0
    for each in (x, a):
        if hasattr(each, "shape"):
            s = s * np.sum(each)
        if hasattr(each, "iloc"):
            s = s * 0.0
    return s * x


def asked_of_what_changes(x, a):
    W[:] = [1.0, 0.5, 2.0]
    State.n = 1.0
    s = 0.0
    for i in range(3):
        if W[i] > 0.6 and a[i] > -1.0:
            s = s + a[i] ** 2
        if State.n > 1.5 or x > 5.0:
            s = s * x
        W[i] = 0.0
        State.n = State.n + 1.0
    W[0] = State.n = -1.0
    return s


@pytest.mark.parametrize("program", programs(globals()), ids=lambda f: f.__name__)
def test_right(program):
    assert judge(program, [(X, A), (0.2, A + 0.1)], ("x", "a")) == Verdict("right")


class Counted:
    """A number with a derivative, and others without."""

    def __init__(self, x):
        self.x, self.n, self.flag, self.name = x, 3, True, "counted"


def test_whole_numbers_of_an_argument_have_the_adjoint_zero():
    found = vars(grad(lambda o: o.x**o.n)(Counted(2.0)))
    assert found == {"x": 12.0, "n": 0.0, "flag": 0.0, "name": None}
    assert grad(lambda values: values[0] ** values[1])([2.0, 3]) == [12.0, 0.0]


@dataclasses.dataclass(order=True)
class Point:
    x: float
    y: float = 0.0
    name: str = dataclasses.field(default="", compare=False)


def largest_of_those_in_memory(a):
    points = [Point(a[i], a[i - 1], str(i)) for i in range(len(a))]
    return max(points).x * 2.0 + sorted(points)[0].y


@pytest.mark.followed
def test_comparisons_of_fields():
    assert judge(largest_of_those_in_memory, [(A,)], ("a",)).what in ("right", "not yet")
    np.testing.assert_allclose(grad(lambda a: max([Point(v) for v in a]).x)(A), [1.0, 0.0, 0.0])


class Twice:
    """Decides what is stored."""

    def __get__(self, instance, owner=None):
        return self if instance is None else instance.half

    def __set__(self, instance, value):
        instance.half = value * 2


class Holder:
    twice = Twice()

    def __init__(self, value):
        self.twice = value


class Scaled:
    """Gives three times what the object holds; an attribute of the object hides it."""

    def __get__(self, instance, owner=None):
        return instance.value * 3.0


class Storing:
    """Decides what is stored, and is not asked for it."""

    def __set__(self, instance, value):
        instance.__dict__["kept"] = value * 2.0


class Asked:
    scaled, kept = Scaled(), Storing()

    def __init__(self, value):
        self.value = value


HOLDER = Holder(1.0)


def read(x):
    asked = Asked(x)
    return asked.scaled * getattr(asked, "scaled") * x  # noqa: B009


def hidden(x):
    asked = Asked(x)
    asked.scaled = x * x
    return asked.scaled


def kept(x):
    asked = Asked(x)
    asked.kept = x
    return asked.kept


def added(x):
    holder = Holder(x)
    holder.twice += x
    return holder.twice


def of_another_class(x):
    asked = Asked(x)
    asked.__class__ = State
    return asked.n * x


def with_other_attributes(x):
    asked = Asked(x)
    asked.__dict__ = {"value": x * x}
    return asked.value


def stored(x):
    return Holder(x).twice ** 2


def stored_by_name(x):
    holder = Holder(x)
    setattr(holder, "twice", x * x)
    return getattr(holder, "twice")  # noqa: B009


def stored_outside(x):
    HOLDER.twice = x
    return HOLDER.twice**2


@pytest.mark.parametrize("program", [stored, stored_by_name, read, hidden, kept, added])
def test_descriptors(program):
    assert judge(program, [(X,)], ("x",)) == Verdict("right")


@pytest.mark.parametrize("program", [stored_outside, of_another_class, with_other_attributes])
def test_a_descriptor_is_never_an_attribute(program):
    assert judge(program, [(X,)], ("x",)).what in ("right", "not yet")
    with contextlib.suppress(AutodiffError):
        assert grad(program)(X) == pytest.approx((program(X + 1e-6) - program(X - 1e-6)) / 2e-6)
