"""`deque`, `defaultdict`, sets, caches, comparisons that `dataclass` writes."""

from __future__ import annotations

import dataclasses
from collections import Counter, OrderedDict, defaultdict, deque
from contextlib import ExitStack
from functools import cache, lru_cache

import numpy as np
import pytest

from tests.core.judge import MODES, Verdict, judge, programs

V = np.array([0.5, 0.3, -0.6])


def q1(x, a):
    q = deque()
    for i in range(4):
        q.append(a[i % 3] * x)
    s = 0.0
    while q:
        s = s * 0.5 + q.popleft()
        if len(q) > 2:
            q.appendleft(q.pop() * s)
    return s + len(q)


def q3(x, a):
    q = deque(a)
    r = deque(q)
    q.extendleft([x, x * x])
    q.rotate(-1)
    q.reverse()
    p = q
    p.append(x)
    return sum(q) * q[0] * q[1] + r[0] * len(r) + sum(v * i for i, v in enumerate(q))


def q4(x, a):
    q = deque()
    for i in range(3):
        q.append(a * (x + i))
    u = q.popleft()
    u *= x
    q.append(u)
    q[0][0] = x
    q.rotate(1)
    u[1] += q[0][1]
    return sum(np.sum(v * (i + 1)) for i, v in enumerate(q))


def dd3(x, a):
    g = defaultdict(lambda: a * x)
    g[0][1] = x
    g[1] += g[0]
    for i in range(3):
        g[i % 2][i] *= 2.0
    return np.sum(g[0] * g[1])


def words(x, a):
    kind = "l1"
    if kind in {"l1", "one"}:
        return np.sum(np.abs(a)) * x
    return x


def q5(x, a):
    q = deque(maxlen=2)
    s = 0.0
    for i in range(0):
        q.append(x)
    while len(q) < 2:
        q.append(x * a[len(q)])
        s += q[-1]
    q.append(s)
    q.clear()
    q.append(s * s)
    return q[0] + isinstance(x, float)


def called_once(x, a):
    b, asked = np.ones(3), []

    @lru_cache
    def h(k):
        asked.append(k)
        b[0] += k * x
        return a * x

    y = h(1) * np.sum(a * b)
    y[0] = 2.0  # seen by who is given it next
    return np.sum(h(1) * b) + h(2)[1] * len(asked)


def asked_last(x, a):
    asked = [0]

    def h(k):
        asked[0] += 1
        return a[k] * k * x

    kept, forgotten = lru_cache(maxsize=2)(h), lru_cache(0)(h)
    y = 0.0
    for k in (0, 1, 2, 0, 1, 1, 2, 1, 0):
        y = y + kept(k) * forgotten(2)
    return y * asked[0]


def calls_itself(x, a):
    @cache
    def term(k):
        return a[k] * x if k < 2 else term(k - 1) * a[2] + term(k - 2)

    return term(6) * term(1)


def callbacks(x, a):
    b = np.ones(3)

    def scale(k, by=1.0):
        b[k] = b[k] * by * x

    y = 0.0
    for k in range(3):
        with ExitStack() as stack:
            stack.callback(scale, k, by=a[0])
            stack.callback(b.fill, 1.0 + k * x)
            y = y + np.sum(b * a) * x
            stack.callback(scale, 1)
    with ExitStack() as stack:
        stack.callback(b.fill, 2.0)
        stack.close()
        y = y * np.sum(b * a)
    return y * np.sum(b)


def in_their_order(x, a):
    table = OrderedDict([("p", a[0] * x), ("q", a[1])], r=a[2] * x)
    table.move_to_end("p")
    last, value = table.popitem()
    del table["q"]
    table.update({"s": value * x}, t=a[0])
    for k in range(3):
        table[k] = a[k] * x
    y = table.setdefault("u", x) + table.pop("v", a[1] * x) + len(table) * len(last)
    for k, (key, part) in enumerate(table.items()):
        y = y + k * part * (2.0 if key == "t" else x)
    return y


def deleted_by_a_method(x, a):
    kept = defaultdict(list)
    kept["a"].append(a[0] * x)
    kept["b"].append(a[1] * x)
    del kept["a"]
    return sum(map(sum, kept.values())) * x + len(kept)


@pytest.mark.parametrize("program", programs(globals()), ids=lambda program: program.__name__)
def test_is_right(program):
    assert judge(program, [(0.7, V)], ("x", "a")) == Verdict("right")


def test_a_set_whose_items_carry_a_derivative():
    def summed(x, a):
        return sum({v * v * x for v in a})

    assert judge(summed, [(0.7, V)], ("x", "a")).what == "right"


def keys_as_sets(x, a):
    one, other = {"a": a[0], "b": a[1]}, {"a": x, "c": a[2]}
    total = sum(one[k] * other[k] for k in sorted(one.keys() & other.keys()))
    return total * len(one.keys() | other.keys())


def keys_found_later_as_sets(x, a):
    one, other = {}, {}
    for k in range(3):
        one[k * k] = a[k] * x
        other[k] = a[k] * a[0]
    total = 0.0
    for k in sorted(one.keys() & other.keys()):
        total = total + one[k] * other[k]
    return total * len(one.keys() ^ other.keys()) + len(one.keys() - other.keys()) * x


@pytest.mark.parametrize("program", [keys_as_sets, keys_found_later_as_sets])
def test_keys_are_sets(program):
    assert judge(program, [(0.7, V)], ("x", "a")) == Verdict("right")


def counted(x):
    letters = Counter(["a", "b", "a"])
    weights = Counter({"a": x})
    weights.update({"a": x * x})
    weights["b"] += x
    if letters["c"]:
        x = x * 100.0
    twice = [key for key, often in letters.items() if often > 1]
    return x * x * letters["a"] + len(twice) * x + weights["a"] * weights["b"]


def test_counter():
    assert judge(counted, [(2.0,)], ("x",), modes=(*MODES, "jvp")).what == "right"


@dataclasses.dataclass(order=True)
class Pair:
    one: float
    other: float


def fields_compared(x, a):
    p, q = Pair(x, a[0]), Pair(x, a[1])
    return (x if p < q else a[0]) * a[2] + (p == Pair(x, a[0])) * x * x


def test_what_a_dataclass_compares():
    assert judge(fields_compared, [(0.7, V)], ("x", "a"), modes=(*MODES, "jvp")).what == "right"
