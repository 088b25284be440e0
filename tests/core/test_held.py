"""Variables that hold one container or another, through Core: by path, or by iteration."""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.judge import Verdict, judge, programs
from tests.core.test_memory_containers import P

V = np.array([0.5, 0.3, -0.6])


def append_in_if(x, a):
    t = [x]
    if x > 0:
        t.append(a[0] * x)
    s = 0.0
    for v in t:
        s += v * v
    return s


def chosen_object(x, a):
    p, q = P(x, a[0]), P(a[1], x)
    for i in range(3):
        r = p if a[i] > 0 else q
        r.v = r.v * r.x + a[i]
    return p.v * q.v


def chosen_made(x, a):
    if x > 0:
        p = P(x, a[0])
    else:
        p = P(a[0], x)
    p.kick(x)
    return p.v * p.x


def swapped_rows(x, a):
    t = [[x, a[0]], [a[1], x]]
    for i in range(3):
        t[0], t[1] = t[1], t[0]
        t[0][i % 2] = t[1][0] * t[0][1]
    return t[0][0] + t[1][0] * t[0][1]


def state_replaced(x, a):
    s = {"u": x, "w": a}
    for i in range(3):
        s = {"u": s["u"] * s["w"][i], "w": s["w"] + s["u"]}
    return s["u"] + np.sum(s["w"])


def object_replaced(x, a):
    p = P(x, a[0])
    for i in range(3):
        p = p.moved(0.3)
        p.kick(a[i] * p.x)
    return p.x * p.v


def lists_swapped(x, a):
    new = [x, x * x, 1.0]
    old = [0.0] * 3
    for k in range(3):
        old, new = new, old
        for i in range(3):
            new[i] = old[i - 1] * x + old[i] * a[i]
    return new[0] * new[1] + old[2]


def list_or_other(x, a):
    t, u = [x, a[0]], [a[1], x]
    v = t if x > 5 else u
    v[0] = v[0] * v[1]
    return t[0] * u[0]


def list_rebuilt(x, a):
    t = [a[0], a[1], x]
    for k in range(3):
        t = [v * x + a[k] for v in t]
    return t[0] * t[2]


def item_overwritten(x, a):
    rows = [a * 1.0, a * x, a + x]
    s = 0.0
    for t in range(7):
        row = rows[t % 3]
        row[1:] = x * a[1:] * (t + 1)
        s = s + np.sum(row[1:] ** 2 * x)
    return s


def best_kept(x, a):
    best = P(x, a[0])
    for i in range(3):
        q = P(a[i], x * i)
        if q.v > best.v:
            best = q
    return best.x * best.v


def dict_branch(x, a):
    d = {"a": x}
    if x > 0:
        d["b"] = a[0] * x
    else:
        d["a"] = a[1]
    return sum(d[k] * d["a"] for k in ("a", "b"))


PROGRAMS = programs(globals())


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_right_in_all_modes(function):
    assert judge(function, [(0.7, V)], ("x", "a")) == Verdict("right")
