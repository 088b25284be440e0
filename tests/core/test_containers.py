"""Lists, dicts, objects and what is outside, through Core: each program right in all modes."""

from __future__ import annotations

import dataclasses
import functools
from collections import namedtuple
from types import SimpleNamespace

import numpy as np
import pytest

from tests.core.judge import Verdict, judge, programs

V = np.array([0.5, 0.3, -0.6])
CONFIG = SimpleNamespace(rate=0.3, weights=np.array([1.0, 2.0, 3.0]), sizes=(2, 0.5))
TABLE = {"a": 0.7, "b": [0.1, 0.2]}


class Body:
    scale = 1.5

    def __init__(self, position, velocity):
        self.position = position
        self.velocity = velocity

    @property
    def energy(self):
        return self.scale * self.velocity**2 + self.position

    def kick(self, force, dt):
        self.velocity += force * dt
        return self


@dataclasses.dataclass
class Spring:
    stiffness: float
    length: float = 1.0

    def force(self, x):
        return -self.stiffness * (x - self.length)


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __rmul__(self, factor):
        return Vector(factor * self.x, factor * self.y)

    def __call__(self, t):
        return self.x * t + self.y


Pair = namedtuple("Pair", "first second", defaults=(2.0,))
LINE = Vector(2.0, 0.5)


def two_variables_hold_one_list(x, a):
    one = [x, a[0]]
    other = one
    other[0] = x * x
    return one[0] * one[1]


def list_of_arrays_that_change(x, a):
    parts = [a * x, a[1:]]
    parts[0][1] = parts[1][0] * x
    return np.sum(parts[0] ** 2)


def dict_filled_on_branches(x, a):
    d = {"u": x, "v": a[1]}
    if a[0] > 0.2:
        d["u"] = d["v"] * x
    else:
        d["v"] = x
    return d["u"] * d["v"] + sum(d.values())


def dict_that_changes_in_a_loop(x, a):
    d = {"s": 0.0, "p": x}
    for k in range(3):
        d["s"] += d["p"] * a[k]
        d["p"] = d["p"] * 0.5
    return d["s"] ** 2


def object_in_a_loop(x, a):
    body = Body(x, a[0])
    for k in range(3):
        body.position += 0.1 * body.velocity
        body.kick(-np.sin(body.position), 0.1)
    return body.energy


def objects_hold_objects(x, a):
    holder = Body(Spring(x), a[2])
    holder.position.length = x * 2.0
    return holder.position.force(a[1]) * holder.velocity


def operators_of_a_class(x, a):
    moved = 2.0 * Vector(x, a[0]) + Vector(a[1], x * x)
    return moved.x * moved.y + moved(0.3)


def namedtuples(x, a):
    pair = Pair(x)
    for k in range(2):
        pair = Pair(pair.second * x, pair.first + a[k])
    first, second = pair
    return first * second


def partial_and_keywords(x, a):
    def line(*parts, slope=1.0, **rest):
        return slope * parts[0] + rest["shift"] * sum(parts)

    half = functools.partial(line, x, slope=0.5)
    return half(a[1], shift=a[2]) * x


def comprehension_with_a_test(x, a):
    return sum([x * v * v for v in a if v > 0.0])


def history_that_grows(x, a):
    h = [x]
    for k in range(4):
        h.append(h[k] * a[k % 3] + h[-1])
    return h[-1] * h[2]


def arrays_in_a_list_that_grows(x, a):
    states = [a]
    for _ in range(3):
        states.append(np.sin(states[-1]) * x)
    return np.sum(states[-1] * states[1])


def stack_that_is_popped(x, a):
    stack = [x, x * x]
    total = 0.0
    for k in range(3):
        stack.append(a[k] * stack[-1])
        total += stack.pop() * stack[0]
    return total + len(stack)


def items_by_number(x, a):
    weights = [a, 2.0 * a, a * x]
    h = x
    for w in weights:
        h = np.tanh(np.sum(w) * h)
    return h


def numbers_stored_by_number(x, a):
    row = [0.0, 0.0, 0.0]
    for k in range(3):
        row[k] = a[k] * x + row[k - 1]
    return sum(row) * row[1]


def outside(x, a):
    n, half = CONFIG.sizes
    total = np.sum(CONFIG.weights * a) * CONFIG.rate * half
    for k in range(n):
        total = total * x + TABLE["b"][k] * TABLE["a"]
    return total + LINE(x) + Body.scale


def outside_is_in_the_loop(x, a):
    total = 0.0
    for k in range(3):
        total += CONFIG.weights[k] * a[k] * x
    return total


PROGRAMS = programs(globals())


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_right_in_all_modes(function):
    assert judge(function, [(0.7, V)], ("x", "a")) == Verdict("right")


def argument_of_lists(parts, spring):
    total = spring.stiffness
    for part in parts["u"]:
        total = total * np.sum(part)
    return total + parts["s"] * spring.length


def test_the_gradient_has_the_structure_of_the_argument():
    from autodiff import grad
    from tests.core.judge import core_alone

    parts = {"u": [V, 2.0 * V], "s": 0.4}
    with core_alone():
        slopes, spring = grad(argument_of_lists, wrt=("parts", "spring"))(parts, Spring(0.3, 0.8))
    assert set(slopes) == {"u", "s"}
    assert isinstance(slopes["u"], list)
    np.testing.assert_allclose(slopes["u"][0], np.full(3, 0.3 * np.sum(2.0 * V)))
    np.testing.assert_allclose(slopes["u"][1], np.full(3, 0.3 * np.sum(V)))
    assert slopes["s"] == 0.8
    assert type(spring) is Spring
    assert spring.length == 0.4


def reads_outside(x):
    return x * CONFIG.rate


def test_outside_is_read_at_each_call(monkeypatch):
    from autodiff import grad
    from tests.core.judge import core_alone

    with core_alone():
        slope = grad(reads_outside)
        assert slope(2.0) == 0.3
        monkeypatch.setattr(CONFIG, "rate", 5.0)
        assert slope(2.0) == 5.0
        monkeypatch.setattr(CONFIG, "rate", np.float64(7.0))
        assert slope(2.0) == 7.0
