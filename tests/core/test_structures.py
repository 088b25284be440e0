"""Structures as values: namedtuples in lists that grow, objects as keys and in tests of membership,
patterns, what is bound on some paths, recursion that changes its own arrays.
"""

from __future__ import annotations

import collections
import typing

import numpy as np
import pytest

from autodiff import grad
from autodiff.core.notyet import NotYet
from tests.core.judge import Verdict, core_alone, judge, programs

A = np.array([0.5, 0.3, -0.6])
POINTS = [(0.7, A), (-1.2, A[::-1] * 1.5)]
Pair = collections.namedtuple("Pair", "low high")


class Body(typing.NamedTuple):
    place: object
    speed: object
    label: object = None

    def moved(self, h):
        return self._replace(place=self.place + h * self.speed)


class Node:
    def __init__(self, value):
        self.value, self.next = value, []


class Same:
    """Equal to what has the same number."""

    def __init__(self, number):
        self.number, self.asked = number, 0

    def __eq__(self, other):
        self.asked += 1
        return isinstance(other, Same) and self.number == other.number

    __hash__ = None


def descent(u, f, n):
    u[0] = u[0] * f[0]
    return np.sum(u) if n == 0 else descent(np.zeros(3), u, n - 1) * np.sum(u)


def times(a):
    return int(np.sum(a > 9.0)) + 1


def namedtuples_in_a_list(x, a):
    bodies = [Body(v * x, v) for v in a]
    for _ in range(3):
        bodies = [b.moved(0.1) for b in bodies]
        bodies.append(Body(x, bodies[0].place))
    return sum(b.place * b.speed for b in bodies)


def namedtuples_of_arrays(x, a):
    found = []
    for k in range(3):
        found.append(Pair(a * x, a[k:]))
    s = 0.0
    for low, high in found:
        low[0] = 2.0 * x
        s = s + np.sum(low) * np.sum(high)
    return s + np.sum(found[-1].low)


def namedtuples_that_share(x, a):
    w = a * x
    found = []
    for k in range(3):
        found.append(Pair(w, w[k]))
        w[k] = w[k] * x
    return np.sum(found[0].low) * found[2].high


def namedtuples_in_a_dict(x, a):
    table = {}
    for k in range(3):
        table[k % 2] = Pair(a[k] * x, k)
    return sum(table[k].low * (table[k].high + 1) for k in table)


def objects_as_keys(x, a):
    one, two = Node(x), Node(a)
    table = {one: a[0], two: x * x, 3: 2.0}
    table[one] = table[one] * x
    one.value = x * 3.0
    s = 0.0
    for key in (one, two):
        s = s + table[key] * np.sum(key.value)
    return s * len(table) + (one in table) + (Node(x) in table) + table[3]


def graph_of_objects(x, a):
    nodes = [Node(v * x) for v in (a[0], a[1], a[2])]
    nodes[0].next = [nodes[1], nodes[2]]
    nodes[1].next = [nodes[2]]
    done = {}
    for node in (nodes[2], nodes[1], nodes[0]):
        s = node.value
        for other in node.next:
            s = s * done[other]
        done[node] = s
    return done[nodes[0]]


def objects_among_others(x, a):
    own, others = Same(1), [Same(2), Same(1), Same(3)]
    found = own in others
    return x * own.asked * np.sum(a) + found + (5 in others) + x * others[2].asked


def containers_and_texts(x, a):
    s = 0.0
    for part in (("add", x), "x", [x, x], None, 2.0):
        if part == "x":
            s = s + x
        elif part == ("add", x) or part == None:  # noqa: E711
            s = s + 2.0 * x
        elif part != 2.0 and part == [x, x]:
            s = s + np.sum(a) * x
    return s


def patterns(x, a):
    def area(shape):
        match shape:
            case {"kind": "disc", "r": r}:
                return 3.0 * r**2
            case {"kind": "box", "w": w, **rest} if len(rest) == 1:
                return w * rest["h"]
            case [w, h]:
                return w * h
            case str() | None:
                return 0.0
        return x

    shapes = [
        {"kind": "disc", "r": x},
        {"kind": "box", "w": x, "h": a[0]},
        (x, a[1]),
        "a",
        None,
        {},
    ]
    return area(shapes[0]) + area(shapes[1]) + area(shapes[2]) + area(shapes[3]) + area(shapes[5])


def known_parts_of_a_test(x, a, options=None):
    s = x
    if options is None and len(a) == 3 or options["k"] > 0:
        s = s * a[0]
    if isinstance(x, float) and x > 0.0 and a[0] < 1.0:
        s = s + a[1]
    t = options or a
    return s * np.sum(t) + ("" or x) + (0.0 and a[1])


def changing_parts_of_a_test(x, a):
    stack = [x, a[0]]
    if stack.pop() < 9.0 and stack.pop() < 9.0 and not stack:
        x = x * a[1]
    return x * (len(stack) + 1.0)


def bound_on_some_paths(x, a):
    for k in range(len(a)):
        if a[k] > 0.4:
            rows = [a * x]
            rows.append(a[k] * a * x)
    s = 0.0
    for row in rows:
        s = s + np.sum(row) ** 2
    return s


def changed_by_recursion(x, a):
    def smooth(u, f, n):
        for _ in range(2):
            u[1:] = u[1:] * f[:-1] + x
        if n == 0:
            return u
        return smooth(np.zeros(3) + f, u * x, n - 1) + u

    return np.sum(smooth(np.ones(3), a, 2) ** 2)


def changed_by_recursion_at_run_time(x, a):
    return descent(a * x, a, times(a)) * descent(np.zeros(3) + x, a, times(a))


def multigrid(x, a):
    def cycle(u, f):
        if len(u) <= 2:
            return u + f * x
        u[1:] = 0.5 * (u[:-1] + f[1:])
        e = cycle(np.zeros(len(u) // 2 + 1), f[::2] * u[::2])
        c = np.zeros_like(u)
        c[::2] = e
        return u + c

    return np.sum(cycle(np.zeros(3), a) ** 2)


def read_again(x, a):
    u = a * x
    return descent(u, a, times(a)) + np.sum(u)


def given_again(x, a):
    u, s = a * x, 0.0
    for _ in range(2):
        s = s + descent(u, a, times(a))
    return s


def of_the_caller(x, a):
    return descent(a, a * x, times(a))


def held_by_a_list(x, a):
    rows = [a * x]
    return descent(rows[0], a, times(a)) + np.sum(rows[0])


def given_on(x, a):
    def outer(u, n):
        return descent(u, a, n) + np.sum(u)

    return outer(a * x, times(a))


def a_part_of_it(x, a):
    u = np.zeros(6) + x
    return descent(u[:3], a, times(a)) + np.sum(u)


PROGRAMS = programs(globals())


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_agrees_with_differences(function):
    found = judge(function, POINTS, ("x", "a"))
    assert found == Verdict("right")


def given_twice(x, a):
    u = a * x
    return descent(u, u, times(a))


def test_recursion_that_changes_what_it_is_given_twice():
    with core_alone(given_twice), pytest.raises(NotYet):
        grad(given_twice)(0.7, A.copy())
