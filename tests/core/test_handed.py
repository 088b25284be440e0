"""Objects, lists and dicts that a loop makes anew, through Core (`handed.py`): their parts
are carried, and whoever else holds them sees what Python lets it see.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

from autodiff import grad
from autodiff.errors import UnsupportedSyntaxError
from autodiff.pipeline import assembly
from tests.core.differences import check, differences
from tests.core.judge import Verdict, judge

V = np.array([0.5, -0.3, 1.2, 0.7, 0.4])


@dataclass
class Body:
    x: Any
    v: Any

    def moved(self, h: Any) -> Body:
        return Body(self.x + h * self.v, self.v * (1.0 - h * self.x))


class Held:
    def __init__(self, body: Body) -> None:
        self.body, self.count = body, 0

    def advance(self, h: Any) -> Any:
        self.body = self.body.moved(h)
        self.body.v = self.body.v * 0.9
        self.count += 1
        return self.body.x


class Pair(NamedTuple):
    a: Any
    b: Any


def made_anew(x, n):
    body = Body(x[0], x[1])
    for i in range(n):
        body = body.moved(x[i])
    return body.x * body.v


def changed_then_made_anew(x, n):
    body = Body(x[0], x[1])
    for i in range(n):
        body.x = body.x * x[i]
        body = body.moved(0.3)
        body.v += x[2]
    return body.x * body.v


def array_inside_is_changed(x, n):
    body = Body(x.copy(), x * x)
    for i in range(n):
        body.x[i] *= body.v[i]
        body = Body(body.x, body.v + body.x)
    return np.sum(body.x * body.v)


def dict_of_numbers(x, n):
    state = {"q": x[0], "p": x[1]}
    for i in range(n):
        state = {"q": state["q"] + x[i] * state["p"], "p": state["p"] - np.sin(state["q"])}
    return state["q"] * state["p"]


def list_of_numbers(x, n):
    pair = [x[0], x[1]]
    for i in range(n):
        pair = [pair[1], pair[0] * x[i]]
        pair[0] = pair[0] + 0.1 * pair[1]
    return pair[0] * pair[1]


def swapped(x, n):
    a, b = Body(x[0], x[1]), Body(x[2], x[3])
    for i in range(n):
        a, b = b, a
        a.x = a.x * x[i]
        b.v = b.v + a.x
    return a.x * a.v + 2.0 * b.x * b.v


def dict_in_a_dict(x, n):
    levels = {"new": {"u": x[0]}, "old": {"u": x[1]}}
    for i in range(n):
        made = {"u": levels["new"]["u"] * x[i] + levels["old"]["u"]}
        levels["old"] = levels["new"]
        levels["new"] = made
    return levels["new"]["u"] * levels["old"]["u"]


def part_of_an_object(x, n):
    held, s = Held(Body(x[0], x[1])), 0.0
    for i in range(n):
        s = s + held.advance(x[i])
    return s * held.body.v + held.count


def fixed_part_is_shared(x, n):
    settings = {"h": x[2]}
    whole = {"settings": settings, "q": x[0]}
    for i in range(n):
        whole = {"settings": whole["settings"], "q": whole["q"] * settings["h"] + x[i]}
        settings["h"] = settings["h"] * x[1]
    return whole["q"] * whole["settings"]["h"]


def named_tuple_of_objects(x, n):
    pair = Pair(Body(x[0], x[1]), x[2])
    for i in range(n):
        pair = Pair(pair.a.moved(x[i]), pair.b * pair.a.x)
    return pair.a.x * pair.b


def made_anew_in_two_loops(x, n):
    body = Body(x[0], x[1])
    for i in range(n):
        for _ in range(2):
            body = body.moved(x[i])
        body.v = body.v * x[2]
    return body.x * body.v


def on_one_path(x, n):
    body, s = Body(x[0], x[1]), 0.0
    for i in range(n):
        s = s + body.x * body.v
        if x[i] > 0.0:
            body.x = body.x * x[i]
        body = Body(body.v, body.x)
    return s


def none_then_object(x, n):
    last, s = None, 0.0
    for i in range(n):
        if last is not None:
            s = s + last.x * x[i]
            last.x = last.x * 2.0
            s = s + last.x * last.v
        last = Body(x[i], s)
    return s + x[0]


def as_long_as_small(x, n):
    body, i = Body(x[0] + 1.0, x[1]), 0
    while body.x < 3.0 and i < n:
        body = Body(body.x * 1.5 + x[i], body.v * body.x)
        i = i + 1
    return body.x * body.v


FUNCTIONS = [
    made_anew,
    changed_then_made_anew,
    array_inside_is_changed,
    dict_of_numbers,
    list_of_numbers,
    swapped,
    dict_in_a_dict,
    part_of_an_object,
    fixed_part_is_shared,
    named_tuple_of_objects,
    made_anew_in_two_loops,
    on_one_path,
    none_then_object,
    as_long_as_small,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [0, 1, 2, 4])
def test_derivative(function: Any, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, function, V, n)


# Others hold them ---------------------------------------------------------------------------------


def first_is_kept(x):
    first = body = Body(x[0], x[1])
    for i in range(3):
        body = body.moved(x[i])
    body.v = body.v * 2.0
    return first.v * body.v


def first_is_changed_through_the_loop(x):
    first = body = Body(x[0], x[1])
    for i in range(3):
        body.x = body.x * x[i]
        body = body.moved(0.5)
    return first.x * body.v


def first_is_changed_by_others(x):
    first = body = Body(x[0], x[1])
    for i in range(3):
        first.x = first.x * x[2]
        body = Body(body.x * x[i], body.v)
    return first.x * body.x


def all_are_kept(x):
    body, path = Body(x[0], x[1]), []
    for i in range(3):
        path.append(body)
        body = body.moved(x[i])
        body.v = body.v * 2.0
        path[0].x = path[0].x * x[i]
    return body.v + sum(each.x for each in path)


def last_is_kept(x):
    body = last = Body(x[0], x[1])
    for i in range(3):
        last = body
        body = body.moved(x[i])
        last.v = last.v * x[i]
        last = body
        last.x = last.x + 1.0
    return body.x * last.v


def both_are_one(x):
    a = b = Body(x[0], x[1])
    for i in range(3):
        a.x = a.x * x[i]
        b = Body(b.x, b.v + a.x)
        a = b
    b.v = b.v * x[3]
    return a.v * b.x


def anew_in_a_call(held, x):
    for i in range(3):
        held.body = Body(held.body.x * x[i], held.body.v)
    held.body.x = held.body.x * 3.0
    return held.body.x


def held_by_an_expression(x):
    held = Held(Body(x[0], x[1]))
    return product(held.body, anew_in_a_call(held, x))


def product(body, y):
    return body.x * body.v * y


def held_by_a_closure(x):
    body = Body(x[0], x[1])
    kept = body

    def read():
        return kept.x * body.v

    for i in range(3):
        body.x = body.x * x[i]
        body = Body(body.x, body.v * 2.0)
    return read() * body.x


HELD = [
    first_is_kept,
    first_is_changed_through_the_loop,
    first_is_changed_by_others,
    all_are_kept,
    last_is_kept,
    both_are_one,
    held_by_an_expression,
    held_by_a_closure,
]


@pytest.mark.parametrize("function", HELD, ids=lambda f: f.__name__)
def test_right_or_refused(function: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "CHECKED", True)
    try:
        found = grad(function)(V)
    except UnsupportedSyntaxError:
        return
    np.testing.assert_allclose(found, differences(function, (V,)), rtol=2e-5, atol=2e-5)


def changed_by_another_name(x, a):
    rows = [[x, a[0]], [a[1], x * a[2]]]
    row = rows[0]
    for _ in range(3):
        rows[0], rows[1] = rows[1], rows[0]
    row[1] = row[1] * x
    return rows[0][1] * rows[1][1] ** 2 + rows[0][0]


def changed_by_another_name_of_other_kinds(x, a):
    rows = [[x, 0], [a, x]]
    row = rows[0]
    for _ in range(2):
        rows[0], rows[1] = rows[1], rows[0]
    row[1] = a
    return np.sum((x + rows[0][0] + rows[0][1]) * V[:3])


def test_what_a_loop_exchanges_stays_what_others_hold():
    assert judge(changed_by_another_name, [(0.7, V[:3])], ("x", "a")) == Verdict("right")
    found = judge(changed_by_another_name_of_other_kinds, [(0.7, V[:3])], ("x", "a"))
    assert found.what in ("right", "not yet")
