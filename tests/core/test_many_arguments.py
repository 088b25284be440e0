"""Arguments that a list holds whose length is known once its loops are written out; items of tuples
of different things.
"""

from __future__ import annotations

import math
import typing

import pytest

from tests.core.judge import MODES, Verdict, judge, programs


def listed(x, n):
    items = []
    for k in range(n):
        items.append(x * (k + 1))
    return items


def three(u, v, w=1.0, k=2.0):
    return u * v + w * k


def in_degrees(function):
    def wrapped(*args, **options):
        if options.get("degree", False):
            args = [v * 2 if k in [0, 1] else v for k, v in enumerate(args)]
        return function(*args, **options)

    return wrapped


@in_degrees
def projected(l, b, d, degree=False):  # noqa: E741
    return l * b + d


class Force:
    def __init__(self, k):
        self.k = k

    def of(self, r, z):
        return -self.k * r * z


class Unit:
    value = 1.0


STRONG = Force(2.0)


def without_units(function):
    def wrapped(*args, **options):
        made = (args[0],)
        for k in range(1, len(args)):
            if isinstance(args[k], Unit):
                made = (*made, args[k].value)
            else:
                made = (*made, args[k])
        return function(*made, **options)

    return wrapped


@without_units
def force(whose, r, z, phi=0.0):
    return whose.of(r, z) + phi


def classes_of_typing(x, a):
    items, known = [x, a], set()
    for k in (0, 1):
        if isinstance(items, (typing.Sequence, Force)):
            known.update(())
    return items[0] * items[1] + len(known)


def of_a_rule(x, a):
    return math.hypot(*listed(x, 2)) * a


def of_a_function(x, a):
    return three(*listed(x, 3)) * a


def of_a_decorated_function(x, a):
    return projected(x, a, 1.0, degree=True)


def beside_an_object(x, a):
    return force(Force(a), x, a * x)


def beside_an_object_of_outside(x, a):
    return force(STRONG, x, 0, phi=a)


@pytest.mark.parametrize("function", programs(globals()), ids=lambda f: f.__name__)
def test_is_right(function):
    points = [(0.7, 0.4), (0.3, 1.2)]
    assert judge(function, points, ("x", "a"), (*MODES, "jvp")) == Verdict("right")
