"""Classes that are defined inside, and `super` (`lower/entries/objects.py`, `supers.py`)."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, grad
from tests.core.judge import Verdict, judge

A = np.array([0.7, 0.4, 1.2])


def constants(x, a):
    class Options:
        """What is set."""

        rate = 0.3
        first = steps = 2
        name: str = "o"

    y = x
    for _ in range(Options.steps):
        y = y - Options().rate * np.sin(y) * a[Options.first]
    return y


def reads_what_is_around(x, a):
    scale = x

    class Line:
        def __init__(self, c):
            self.c = c * scale

        def at(self, v):
            return self.c * v + scale

        @property
        def twice(self):
            return 2.0 * self.c

        @staticmethod
        def square(v):
            return v * v * scale

        @classmethod
        def of(cls, v):
            return cls(v)

    line = Line(a[0])
    scale = x * x
    y = line.at(x) + line.twice * Line.square(a[1])
    return y * Line.of(a[2]).at(2.0)


def special_methods(x, a):
    class Pair:
        def __init__(self, p, q):
            self.p, self.q = p, q

        def __add__(self, other):
            return Pair(self.p + other.p, self.q * other.q)

        def __getitem__(self, k):
            return self.q if k else self.p

        def __call__(self, v):
            return self.p * v

        def __len__(self):
            return 2

    u = Pair(x, a[0]) + Pair(a[1], x)
    return u[0] * u[1] + u(a[2]) * len(u)


def derived_inside(x, a):
    class Base:
        factor = 2.0

        def __init__(self, v):
            self.v = v

        def value(self):
            return self.v * self.factor

    class More(Base):
        factor = 3.0

        def value(self):
            return super(More, self).value() + x

    return More(a[0]).value() * Base(a[1]).value() * isinstance(More(x), Base)


class Moving:
    def __init__(self, p):
        self.p = p

    def step(self, f):
        self.p = self.p + f
        return self


def derived_inside_from_outside(x, a):
    class Damped(Moving):
        def __init__(self, p):
            super().__init__(p * x)

        def step(self, f):
            super().step(f * 0.5).p *= 0.9
            return self

    class Slow(Damped):
        def step(self, f):
            return super().step(f * 0.1)

    q = Slow(a)
    for _ in range(3):
        q.step(-q.p * x)
    return np.sum(q.p**2)


def in_a_loop(x, a):
    total = 0.0
    for k in range(3):

        class Item:
            def get(self):
                return a[k] * x

        total = total + Item().get()
    return total


def carried_by_a_loop(x, a):
    class State:
        def __init__(self, v):
            self.v = v
            self.on = True

        def flip(self):
            self.on = not self.on
            self.v = self.v * x

    s = State(a[0])
    for i in range(3):
        if s.on:
            s.v = s.v + a[i]
        s.flip()
    return s.v


class Shape:
    def __init__(self, r, **named):
        super().__init__(**named)
        self.r = r

    def area(self):
        return self.r**2

    @property
    def size(self):
        return 2.0 * self.r


class Named:
    def __init__(self, label=1.0):
        self.label = label

    def area(self):
        return self.label


class Ring(Shape, Named):
    def __init__(self, r, hole):
        super().__init__(r, label=hole)
        self.hole = hole

    def area(self):
        return super().area() - self.hole**2 + super(Shape, self).area()

    @property
    def size(self):
        return super().size + self.hole


def behind_in_the_order(x, a):
    ring = Ring(x, a[0])
    return ring.area() * ring.size * ring.label * a[1]


@dataclasses.dataclass
class Told:
    v: Any
    scale: dataclasses.InitVar[Any] = 2.0
    shift: dataclasses.InitVar[Any] = 0.5
    w: Any = 1.0

    def __post_init__(self, scale=9.0, shift=9.0):
        self.v = self.v * scale + shift


def told_only(x, a):
    one, other = Told(x, shift=a[0]), Told(a[1], x, w=a[2])
    return one.v * other.v * other.w * one.w


def said_before(x, a):
    n = 10.0

    class Scaled:
        n = 3.0
        m = n

        def times(self, k=n):
            return self.m * k * x

        __call__ = times

    one = Scaled()
    return one() * n + one.times(a[0]) * a[1]


def compared(x, a):
    class Limit:
        def __init__(self, v):
            self.v = v

        def __eq__(self, other):
            return self.v > other.v

        def __str__(self):
            return "limit"

    p, q = Limit(x), Limit(a[0])
    return (2.0 if p == q else 3.0) * x * len(f"{p}") + (p != q) * a[1]


PROGRAMS = [
    constants,
    compared,
    said_before,
    reads_what_is_around,
    special_methods,
    derived_inside,
    in_a_loop,
    carried_by_a_loop,
    behind_in_the_order,
    told_only,
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_right(function: Any) -> None:
    assert judge(function, [(0.8, A), (-1.3, A[::-1].copy())], ("x", "a")) == Verdict("right")


def test_said_later() -> None:
    def before(x, a):
        n = 10.0

        class Scaled:
            m = n  # no variable of the function around: Python looks for a global
            n = 3.0

        return Scaled.m * x * n

    with pytest.raises(AutodiffError):
        grad(before)(0.8, A)


def test_stored_into_later() -> None:
    def stores(x, a):
        class Options:
            rate = 2.0

        Options.rate = x
        return Options.rate * a[0]

    assert judge(stores, [(0.8, A)], ("x", "a")).what == "not yet"
