"""Lists that grow or shrink while loops go over them, tuples of unknown length, displays with such
in them, through Core (`lower/flow/loops.py`, `lower/expression/parts.py`).
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.judge import Verdict, judge, programs

V = np.array([0.5, 0.3, -0.6])


class Holder:
    def __init__(self):
        self.items = []


def grows(x, a):
    xs = [x]
    same = xs
    s = 0.0
    for v in xs:
        if len(same) < 5:
            same.append(v * v + a[1])
        s = s * 0.5 + v
    return s


def shrinks(x, a):
    xs = []
    for i in range(6):
        xs.append(a[i % 3] * x * (i + 1))
    s = 0.0
    for v in xs:
        if len(xs) > 3:
            s += xs.pop() * v
        s = s * x + v
    return s * len(xs)


def grows_front(x, a):
    xs = [x, x * a[0]]
    s = 0.0
    n = 0
    for v in xs:
        n += 1
        if n < 4:
            xs.insert(0, v * a[1])
        s = s * 0.7 + v
    return s


def grows_inner(x, a):
    s = 0.0
    for i in range(2):
        xs = [a[i]]
        for v in xs:
            for k in range(2):
                if len(xs) < 4:
                    xs.append(v * x + k)
            s = s * v + x
    return s


def tuples_made(x, a):
    xs = []
    for i in range(4):
        xs.append(a[i % 3] * x)
    t = tuple(xs)
    xs[0] = x
    u = t + t[1:] + (x,)
    s = 0.0
    for v in u:
        s = s * 0.5 + v
    y = xs + [*t, x, *xs]
    return s * t[0] * u[-1] + sum(y) + len(u) + isinstance(u, tuple) + t.index(t[2])


def spread(x, a):
    xs = []
    for i in range(a.size):
        xs.append(a[i] * x)
    ys = [x, *xs, a[0], *xs[:1]]
    ys += xs
    ys += (x * x, 1.0)
    ys.extend(v * v for v in xs)
    ys.extend(ys)
    del ys[1:3]
    del ys[-1]
    s = 0.0
    for v in ys:
        s = s * 0.9 + v
    return s


def arrays_spread(x, a):
    rows = []
    for i in range(3):
        rows.append(a * (x + i))
    more = [rows[0], *rows, a * x]
    more[1] *= 2.0
    t = tuple(more)
    t[4][0] = x
    more[0] = a
    del rows[0]
    rows[0][1] *= x
    return np.sum(t[0] * more[4]) + np.sum(more[2] * rows[0])


def deleted_keys(x, a):
    d = {}
    for i in range(4):
        d[i, "k"] = a[i % 3] * x
    for i in range(2):
        del d[i + 1, "k"]
    s = 0.0
    for (i, k), v in d.items():
        s += v * (i + 1)
    d[1, "k"] = s
    return s * d[1, "k"] + len(d)


def order_of_keys(x, a):
    d = {}
    for i in range(3):
        d[i] = a[i] * x
    v = d.pop(0)
    d[0] = v * x
    s = 0.0
    for k in d:
        s = s * 0.5 + d[k]
    for i, (k, v) in enumerate(d.items()):
        s = s * x + v * i + k
    for k, v in zip(d, d.values()):
        s = s * 0.9 + v * k
    for k in list(d.keys()):
        d[k] *= x
        if k == 1:
            del d[k]
    return s + d[2] + sum(d.values())


def branch_made(x, a):
    xs = [x, a[0]]
    d = {"a": x}
    if x > 0:
        xs.insert(0, x * x)
        d["b"] = a[1]
        xs.reverse()
    else:
        xs.clear()
    s = 0.0
    for v in xs:
        s = s * 0.5 + v
    for k, v in d.items():
        s = s * 0.5 + v
    if "b" in d:
        s *= d["b"]
    return s + d.get("b", x) + d.get("c", x)


def same_twice(x, a):
    xs = []
    ys = []
    for i in range(3):
        xs.append(a * x)
    for i in range(2):
        ys.append(xs[0])
        ys.append(xs[i])
    ys.pop(0)
    ys.insert(1, ys[0])
    ys[1] *= x
    xs.reverse()
    xs.pop(0)[0] = x
    d = {}
    for i in range(2):
        d[i] = ys[1]
    d[1][2] *= d[0][1]
    return np.sum(ys[0]) + np.sum(xs[1] * d[0]) + np.sum(ys[2] * xs[0])


def in_object(x, a):
    h = Holder()
    for i in range(3):
        h.items.append(x * a[i])
    s = 0.0
    for v in h.items:
        if len(h.items) < 5:
            h.items.append(v * x)
        s = s * 0.5 + v
    h.items.insert(1, s)
    h.items.pop(0)
    return h.items[0] * s


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(own, marks=[pytest.mark.followed] * (own is spread), id=own.__name__)
        for own in programs(globals())
    ],
)
def test_is_right(program):
    assert judge(program, [(0.7, V)], ("x", "a")) == Verdict("right")
