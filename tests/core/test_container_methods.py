"""Methods of lists and dicts that are memory, through Core (`list_methods.py`,
`container_recipes.py`): what is put in and taken out, keys, parts, loops over what changes.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.differences import check
from tests.core.judge import Verdict, judge, programs

V = np.array([0.5, 0.3, -0.6])


def keys_read(x, a):
    d = {}
    for i in range(3):
        d[i * 0.5, i] = a[i] * x
    s = 0.0
    for k, v in d.items():
        s += (k[0] + 1) * v * v + k[1] * x
    for k in d:
        s = s * d[k] + k[0]
    return s


def active_key_lookup(x, a):
    d = {}
    for i in range(3):
        d[a[i]] = x * a[i]
    return d[a[1]] ** 2


def memo(x, a):
    d = {}
    s = 0.0
    for i in range(6):
        k = i % 2
        if k not in d:
            d[k] = x * a[k]
        s += d[k] ** 2
    return s


def int_then_float(x, a):
    d = {}
    for i in range(3):
        d["a" if i == 0 else "b"] = 0
    s = 0.0
    for i in range(3):
        s += d["a"] * x
        d["a"] = d["a"] + x * a[i]
    return s + d["b"]


def get_default(x, a):
    d = {}
    for i in range(4):
        d[i % 2] = d.get(i % 2, 0.0) * 0.5 + x * a[i % 3]
    return d[0] * d[1]


def setdefaults(x, a):
    g = {}
    for i in range(5):
        g.setdefault(i % 2, []).append(x * a[i % 3])
    s = 0.0
    for k, v in g.items():
        s = s * 2 + sum(v) * v[0]
    return s


def pops(x, a):
    xs = []
    for i in range(3):
        xs.append(a[i] * x)
    for i in range(2):
        y = xs.pop(0)
        xs.append(y * xs[0])
    xs.insert(1, x * xs[0])
    xs.insert(-1, x * xs[-1])
    xs.insert(100, x)
    z = xs.pop(-2)
    return sum(xs) * z + xs[1] * xs[0]


def pop_dyn(x, a):
    xs = []
    for i in range(6):
        xs.append(a[i % 3] * x * (i + 1))
    s = 0.0
    for i in range(3):
        k = (-1) ** i * i
        s = s * 0.5 + xs.pop(k) * xs[0]
        xs.insert(k, s)
    return s * xs[1] * xs[-1]


def dict_pops(x, a):
    d = {}
    for i in range(4):
        d[i] = a[i % 3] * x
    s = 0.0
    for i in range(3):
        s += d.pop(i) * d[3]
        d[i + 10] = s * x
        s += d.pop(i, 2.0) * d.pop(i + 10, 3.0) if i > 0 else 0.0
    return s * len(d) + d[10]


def slices(x, a):
    xs = []
    for i in range(5):
        xs.append(a[i % 3] * x * (i + 1))
    ys = xs[1:3]
    ys[0] = ys[1] * xs[0]
    zs = xs[-2:] + xs[:-1] + xs[::-1] + xs[::2]
    xs[1:3] = [x, x * x, ys[0]]
    xs[:] = xs[1:]
    return sum(v * (i + 1) for i, v in enumerate(zs)) + sum(xs) * xs[1]


def rows_moved(x, a):
    rows = []
    for i in range(4):
        rows.append(a * x * (i + 1))
    r = rows.pop(1)
    r *= rows[0]
    rows.insert(0, r)
    rows.insert(2, r)
    rows[0] += x
    rows.reverse()
    rows[0][1] *= x
    q = rows[1:3]
    q[0] *= 2.0
    return np.sum(rows[0] * rows[2] * rows[1]) + np.sum(r * q[1])


def dict_of_arrays(x, a):
    d = {}
    for i in range(3):
        d[i] = a * x * (i + 1)
    v = d.pop(1)
    v *= x
    d[7] = v
    d[7][0] *= d[2][1]
    for k, w in d.items():
        w *= d[0][1]
    e = d.copy()
    e[0][1] = x
    d.clear()
    return np.sum(e[7] * e[0]) + len(d)


def values_changed(x, a):
    d = {}
    for i in range(3):
        d[i] = a[i] * x
    s = 0.0
    for k, v in d.items():
        if k < 2:
            d[k + 1] = v * x
        s += v
    for v in d.values():
        s += v * v
        d[2] = s
    ks = d.keys()
    vs = d.values()
    d[5] = x
    return s * len(ks) + sum(vs) + max(d.values()) + sum(d.values()) * x


def runtime_display(x, a):
    s = 0.0
    for i in range(3):
        d = {i: a[i] * x, "k": x}
        d.update({i + 1: x})
        e = d | {i: x * x}
        s += d[i] * d["k"] * d[i + 1] + e[i]
        d |= e
        s += d[i]
        f = {**e, "z": x}
        s += f["z"] * f["k"] + f[i]
    return s


def removed(x, a):
    xs = []
    for i in range(4):
        xs.append(a[i % 3] * x * (i + 1))
    y = xs[2]
    k = xs.index(y)
    xs.remove(y)
    return sum(xs) * xs[k] * y + xs.count(y)


def zero_iter(x, a):
    xs = []
    for i in range(0):
        xs.append(x)
    xs.clear()
    xs.reverse()
    d = {}
    for i in range(0):
        d[i] = x
    s = x
    for k, v in d.items():
        s += v
    d.clear()
    return s + len(xs) + len(d) + sum(xs) + (1 if d else x)


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(own, marks=[pytest.mark.followed] * (own is slices), id=own.__name__)
        for own in programs(globals())
    ],
)
def test_is_right(program):
    assert judge(program, [(0.7, V)], ("x", "a")) == Verdict("right")


def test_a_key_that_carries_a_derivative():
    def by_key(x, a):
        d = {}
        d[x * x] = 1.0
        s = a[0]
        for k in d:
            s += k
        return s

    assert judge(by_key, [(0.7, V)], ("x", "a")).what == "not yet"


def numbers_and_texts(x):
    table = {}
    for k in range(3):
        table[k % 2] = x[k] ** 2
    table["z"] = x[0] * table[1]
    t = 0.0
    for k in table:
        if k == "z":
            t = t + table[k] * 3.0
        else:
            t = t * x[1] + table[k] * k
        table[k] = t
        if k in table and isinstance(k, str):
            t = t * len(k)
    return t + table["z"] * table[0]


def keys_from_a_list(x):
    xs = [1, "a"]
    for k in range(2):
        xs.append(k)
    d = {1: x[0], "a": x[1], 0: x[2]}
    t = 1.0
    for j in range(4):
        d[xs[j]] = d[xs[j]] * x[j % 3]
        t = t + d[xs[j]]
    return t * d["a"]


def lists_under_keys(x):
    d = {}
    for k in range(2):
        d[k] = [x[k]]
    d["a"] = [x[2]]
    for k in d:
        d[k].append(d[k][0] * x[0])
    t = 0.0
    for k in list(d):
        t = t * 0.5 + sum(d[k])
        d[k][0] = t
    return t * d["a"][0]


def numbers_beside_texts(x):
    xs = [1, "ab"]
    for k in range(2):
        xs.append(k)
    t = x[0]
    for j in range(2, 4):
        t = t * (x[1] + xs[j]) + xs[j]
    return t


@pytest.mark.parametrize(
    "function",
    [numbers_and_texts, keys_from_a_list, lists_under_keys, numbers_beside_texts],
    ids=lambda f: f.__name__,
)
def test_keys_that_are_numbers_or_texts(monkeypatch, function):
    check(monkeypatch, function, np.array([0.5, 0.8, 1.3]))
