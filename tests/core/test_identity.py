"""Whether two names are one object, where objects are found when the function runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.core.judge import Verdict, judge

A = np.array([0.7, 0.4, 1.2])


class Body:
    def __init__(self, v: Any) -> None:
        self.v = v


class Less(Body):
    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Less) and bool(other.v > self.v)

    __hash__ = None  # type: ignore[assignment]


def chosen(x, a):
    p, q = Body(x), Body(a[0])
    o = [p, q][int(x > 0)]
    return (2.0 if o is q else 3.0) * x * o.v


def each_with_the_others(x, a):
    bodies = [Body(v * x) for v in a]
    t = 0.0
    for one in bodies:
        for other in bodies:
            if one is not other:
                t += one.v * other.v
    return t


def the_largest(x, a):
    rows = [[v * x] for v in a]
    best = rows[0]
    for row in rows:
        if row[0] > best[0]:
            best = row
    for row in rows:
        if row is best:
            row[0] = row[0] * x
    return sum(row[0] ** 2 for row in rows)


def by_place(x, a):
    p, q = Body(x), Body(a[0])
    bodies = [p, q]
    o = bodies[int(x > 0)]
    bodies.reverse()
    o.v = o.v * 2.0
    if bodies[0] is o:
        bodies[0].v = bodies[0].v * 3.0
    if o != p:
        o.v += x
    return p.v * q.v


def looked_for(x, a):
    p, q, r = Less(x), Less(a[0]), Body(a[1])
    found = [p, q], [r, Body(x), r]
    k = found[0].index(q) + 2 * found[1].index(r) + found[1].count(r)
    return k * p.v * q.v * r.v + (p == q) * x


def first_and_last(x, a):
    begin = state = Body(x)
    t = 0.0
    for v in a:
        if state is begin:
            t += v
        state = Body(state.v * v)
        t = t * x + state.v
    return t


PROGRAMS = [chosen, each_with_the_others, the_largest, by_place, looked_for, first_and_last]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_right(function: Any) -> None:
    points = [(0.8, A), (-1.3, A[::-1].copy())]
    modes = ("grad", "value_and_grad", "vjp", "jvp")
    assert judge(function, points, ("x", "a"), modes) == Verdict("right")
