"""Attributes by name, what classes answer themselves, methods and defaults as values."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from autodiff import grad
from tests.core.judge import Verdict, judge, programs

A = np.array([0.5, 0.3, -0.6])
POINTS = [(0.7, A), (-1.2, A[::-1] * 1.5)]
TABLE = {"sin": np.sin, "cos": np.cos, "power": 3}
NUMBERS = (0.5, 1.5, 2.5, 3.5)
WEIGHTS = [np.array([1.0, 2.0, 3.0]), np.array([0.5, -1.0, 2.0])]
KEPT = np.array([1.0, -2.0, 0.5])


class Plain:
    def __init__(self, v, w=1.0):
        self.v, self.w = v, w


class Lazy:
    def __init__(self, x):
        self.x, self.asked = x, 0

    def __getattr__(self, name):
        if name.startswith("no_"):
            raise AttributeError(name)
        self.asked += 1
        return self.x * len(name)


class Doubling:
    def __init__(self, v):
        self.v = v

    def __setattr__(self, name, value):
        super().__setattr__(name, 2 * value)


class Counter:
    total, count = 1.5, 0


class Logged:
    def __init__(self):
        object.__setattr__(self, "names", [])

    def __setattr__(self, name, value):
        self.names.append(value)
        object.__setattr__(self, name, value * len(self.names))


class Pair(NamedTuple):
    a: Any
    b: Any = WEIGHTS[0]
    scale: Any = np.exp


@dataclass
class Layer:
    w: Any
    f: Any = np.tanh
    b: Any = NUMBERS
    more: Any = field(default_factory=list)


# Methods as values ------------------------------------------------------------------------------


def appended_by_another_name(x, a):
    xs = []
    put, extend = xs.append, xs.extend
    for v in a:
        put(v * x)
    extend([x, x * x])
    take = xs.pop
    return take() * sum(xs) + take(0)


def appended_by_a_helper(x, a):
    xs = []

    def through(f, v):
        f(v * v)
        return f

    through(through(xs.append, x), a[1])
    return xs[0] * xs[1]


def method_of_what_changes_afterwards(x, a):
    b = a * x
    total, dot = b.sum, b.dot
    b[1] = x * x
    c = b
    b = b * 3.0
    c += a
    return total() * dot(b)


def method_by_name(x, a):
    f = getattr(a * x, "prod")
    return f() + getattr(a, "mean")() * x


def methods_in_a_list(x, a):
    b = a * x
    return sum(f() for f in [b.sum, b.prod, b.max])


def fill_by_another_name(x, a):
    b = a.copy()
    fill = b.fill
    s = np.sum(b) * x
    fill(x)
    return s * np.sum(b * a)


def method_in_a_loop(x, a):
    d = {"u": x}
    get = d.get
    for k in range(3):
        d["u"] = get("u") * x + a[k]
    return get("u", 0.0) * get("nothing", x)


def fields_replaced(x, a):
    p = Pair(x)
    for _ in range(2):
        p = p._replace(a=p.a * x, b=p.b * a)
    return p.a * np.sum(p.b) * p.scale(x)


# Containers of outside --------------------------------------------------------------------------


def looked_up_or_not(x, a):
    f = TABLE.get("tan", np.tanh)
    g = TABLE["sin"] if "sin" in TABLE else np.cos
    n = TABLE.get("power", 1)
    return f(x) * g(x) ** n if "nothing" not in TABLE else x


def slices_of_outside(x, a):
    s = sum(w * x for w in NUMBERS[1:3])
    for k, w in enumerate(WEIGHTS[::-1]):
        s = s + np.sum(w * a) * x**k
    return s


def missing_where_it_is_tried(x, a):
    try:
        f = TABLE["nothing"]
    except KeyError:
        f = TABLE["cos"]
    return f(x) * np.sum(a)


# Attributes -------------------------------------------------------------------------------------


def attributes_as_a_dict(x, a):
    p = Plain(x, a)
    p.__dict__["v"] = p.v * x
    vars(p).update(w=p.w * p.v, u=x)
    p.v = p.v + vars(p)["u"]
    return sum(np.sum(value) for value in vars(p).values()) * len(p.__dict__)


def attributes_in_a_branch(x, a):
    p = Plain(x, 2.0)
    d = vars(p)
    if x > 0:
        d["v"] = x * x
    else:
        p.v = d["w"] * x
    return p.v * d["v"] * (1.0 if d is p.__dict__ else x)


def attributes_in_a_loop(x, a):
    p = Plain(x, a)
    for k in range(2):
        for name in ("v", "w"):
            p.__dict__[name] = getattr(p, name) * x
        setattr(p, "v", p.v + k)
    return p.v * np.sum(p.w)


def copied_attributes(x, a):
    p = Plain(x, a.copy())
    q = Plain(**vars(p))
    before = dict(p.__dict__)
    q.w[0] = x
    p.v = 3.0
    return before["v"] * np.sum(p.w) + q.v


def namespaces(x, a):
    s = SimpleNamespace(u=x, v=a)
    s.w = s.u * s.v
    s.v = s.w * x
    s.__dict__["u"] = x**3
    t = SimpleNamespace(**vars(s))
    t.u *= 2
    return np.sum(s.v * s.w) * s.u + t.u


def namespaces_in_a_loop(x, a):
    s = SimpleNamespace(total=0.0, history=[])
    for v in a:
        s.total = s.total + v * x
        s.history.append(s.total**2)
    return s.total * sum(s.history)


def missing_attributes(x, a):
    p = Lazy(x)
    s = p.first * p.second
    return s * p.asked + p.x


def missing_in_a_loop(x, a):
    p = Lazy(x)
    for v in a:
        p.x = p.x + v * p.item
    return p.x * p.asked


def missing_where_it_is_tried_for(x, a):
    p = Lazy(x)
    try:
        v = p.no_such
    except AttributeError:
        v = p.such
    return v * v


def stores_that_a_class_answers(x, a):
    p = Doubling(x)
    p.w = p.v * np.sum(a)
    p.v += x
    setattr(p, "u", x)
    return p.v * p.w * p.u


def stores_that_are_counted(x, a):
    p = Logged()
    p.value = x
    for v in a:
        p.value = v * x
    p.other = x
    return p.value * p.other * len(p.names)


def attribute_of_the_class_until_there_is_another(x, a):
    p, q = Counter(), Counter()
    for v in a:
        if v > 0:
            p.total += v * x
        else:
            q.count = q.count + 1
            q.total = q.total * x + v
    return p.total * q.total + p.count + q.count * Counter.total


# Defaults ---------------------------------------------------------------------------------------


def kept(v, memory=KEPT):
    return np.sum(memory * v)


def written(v, memory=np.zeros(2)):
    memory[0] = v
    memory[1] = v * v
    return memory


def defaults_that_are_objects(x, a):
    def inner(v, f=np.sin, w=WEIGHTS):
        return f(v) * np.sum(w[1] * a)

    return kept(a * x) * inner(x) + kept(x)


def default_that_is_written(x, a):
    one = written(x)
    s = one[0] * one[1]
    two = written(a[1])
    return s * np.sum(one * two)


def defaults_of_fields(x, a):
    layer = Layer(a * x)
    layer.more.append(x)
    other = Layer(a)
    other.more.append(layer.more[0] ** 2)
    return np.sum(layer.f(layer.w)) * layer.b[1] * other.more[0] + len(other.more)


# Copies -----------------------------------------------------------------------------------------


def deep_copies(x, a):
    p = Plain(x, [a * x, {"k": a}])
    q = copy.deepcopy(p)
    q.w[0][0] = x**3
    q.w[1]["k"] = q.w[1]["k"] * x
    p.w[0][1] = 2.0
    return np.sum(p.w[0] * q.w[0]) + np.sum(q.w[1]["k"] * p.w[1]["k"]) * q.v


def deep_copy_of_what_is_there_twice(x, a):
    b = a * x
    pair = copy.deepcopy([Plain(b), b])
    one, two = copy.copy(b), copy.deepcopy((b, x))[0]
    one[0] = x
    two[1] = x * x
    b[2] = 1.0
    return np.sum(pair[0].v * one) + np.sum(two * b)


PROGRAMS = programs(globals())


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(own, marks=[pytest.mark.followed] * ("twice" in own.__name__), id=own.__name__)
        for own in PROGRAMS
    ],
)
def test_agrees_with_differences(function):
    assert judge(function, POINTS, ("x", "a")) == Verdict("right")


# What changes between calls ---------------------------------------------------------------------


class Scale:
    factor = 2.0

    def __init__(self, x):
        self.x = x

    def scaled(self):
        return self.x * self.factor


def by_a_constant_of_a_class(x):
    return Scale(x).scaled()


def test_a_constant_of_a_class_is_watched(monkeypatch):
    slope = grad(by_a_constant_of_a_class)
    assert slope(1.0) == 2.0
    monkeypatch.setattr(Scale, "factor", 5.0)
    assert slope(1.0) == 5.0


FACTORS = [2.0]
KEPT_TOO = np.array([3.0])


def of_defaults(x, factors=FACTORS, kept=KEPT_TOO):
    return x * sum(factors) * kept[0]


def by_defaults(x):
    return of_defaults(x) if len(FACTORS) < 9 else x


def test_defaults_that_are_objects_are_read_in_each_call():
    slope = grad(by_defaults)
    assert slope(1.0) == 6.0
    FACTORS[0] = 5.0
    assert slope(1.0) == 15.0
    FACTORS.append(1.0)
    KEPT_TOO[0] = 2.0
    assert slope(1.0) == 12.0


def by_a_table(x):
    return TABLE.get("new", np.sin)(x) if "new" not in TABLE else 3.0 * x


def test_keys_of_a_container_of_outside_are_watched(monkeypatch):
    slope = grad(by_a_table)
    assert slope(0.0) == 1.0
    monkeypatch.setitem(TABLE, "new", np.cos)
    assert slope(0.0) == 3.0


def of_a_function(x, f):
    def inner(t):
        from math import exp

        return exp(t)

    return f(x) * inner(x)


def test_functions_as_arguments():
    slope = grad(of_a_function)
    for f, own in ((np.sin, np.cos(0.5)), (lambda t: t**3, 0.75)):
        found = (own + f(0.5)) * np.exp(0.5)
        np.testing.assert_allclose(slope(0.5, f), found)
