"""What is asked of objects and containers, through Core: truth, identity, comparison, membership;
and parts that are deleted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autodiff import grad
from tests.core.differences import check, differences
from tests.core.honest import honest

V = np.array([0.5, -0.3, 1.2, 0.7])


def list_until_it_is_empty(x):
    stack = [x[0], x[1] * x[2]]
    s = x[3]
    while stack:
        s = s * stack.pop() + x[0]
        if s > 100.0:
            stack.append(s)
    return s


def list_in_a_loop(x, n):
    q = [1, 2]
    s = x[0]
    for i in range(n):
        if q:
            s = s * x[1]
            q.pop()
        elif not q and i > 2:
            s = s * s + x[2]
            q.append(5)
    return s


def known_containers(x):
    s = x[0]
    empty, held = {"a": [], "b": (), "c": {}}, {"a": [1.0], "b": (2.0,), "c": {"d": x}}
    if empty["a"] or empty["b"] or empty["c"] or empty["c"].items() or not empty:
        s = 0.0
    if held["a"] and held["b"] and held["c"] and held["c"].keys() and np.sum and known_containers:
        s = s * x[1]
    return s if len else 0.0


def array_of_one(x, n):
    flag = np.array([1.0])
    s = x[0]
    for i in range(n):
        if flag:
            flag[0] = 0.0
            s = s * s * x[1]
        elif not flag:
            s = s + x[2]
            flag[0] = i
    return s


class Counted:
    def __init__(self, x):
        self.x, self.asked = x, 0

    def __bool__(self):
        self.asked += 1
        return self.asked > 1

    def __eq__(self, other):
        self.x = self.x * 2.0
        return NotImplemented if isinstance(other, str) else self.x < other

    def __lt__(self, other):
        return self.x < other

    def __contains__(self, item):
        self.asked += 1
        return item > self.x


def objects_answer(x):
    own = Counted(x)
    s = x
    for _ in range(3):
        if own:
            s = s * own.x
    if own == 5.0:
        s = s * 3.0
    if own != "text":
        s = s + own.x
    if 1.0 > own:
        s = s * s
    if not 2.5 in own:  # noqa: E713
        s = s * x
    return s * own.asked


class Plain:
    def __init__(self, x):
        self.x = x


def same_object(x):
    a, b = Plain(x), Plain(x)
    c = a
    s = x
    if a is c and a is not b and a == c and a != b:
        s = s * a.x
    if b in [a, c] or None is a:
        s = 0.0
    if c in (b, a):
        s = s * b.x
    c.x = 3.0
    return s * a.x


def none_or_a_value(x, weight, kind):
    if weight is None:
        weight = 2.0
    if kind in ("square", "cube") and kind != "cube":
        return weight * x * x
    return weight * x


def flag_itself(x, flag):
    s = x
    if flag is True:
        s = s * x
    if (x > 0) is not False:
        s = s * 3.0
    return s


def tuples_in_order(x, y):
    s = x
    if (x, 1) < (y, 0) and np.shape(x) == np.shape(y):
        s = s * y
    if (x, y) == (y, x) or [x] != [x]:
        s = 0.0
    return s * x


def classes_are_known(x):
    s = np.sum(x)
    if isinstance(s, float) and isinstance(x, np.ndarray) and not isinstance(s, (int, str)):
        s = s * x[0]
    return s


def deleted_parts(x):
    d = {"a": x[0], "b": x[1], "c": x[0] * x[1]}
    del d["b"]
    items = [x[2], x[3], x[2] * x[3]]
    alias = items
    del items[0], items[-1]
    own = Plain(x[1])
    own.y = x[0]
    del own.x
    return d["a"] * d["c"] * alias[0] * len(d) * own.y


def deleted_and_missed(x):
    d = {"a": x[0], "b": x[1]}
    del d["a"]
    try:
        s = d["b"] * x[2]
        s = d["a"]
    except KeyError:
        s = s * x[3]
    try:
        del d["a"]
    except KeyError:
        s = s * s
    return s


PROGRAMS: list[tuple[Any, ...]] = [
    (list_until_it_is_empty, V),
    *((list_in_a_loop, V, n) for n in (0, 5)),
    (known_containers, V),
    *((array_of_one, V, n) for n in (0, 5)),
    *((objects_answer, x) for x in (0.3, 1.7)),
    (same_object, 1.7),
    *((none_or_a_value, 1.7, w, k) for w, k in ((None, "square"), (3.0, "cube"), (None, "other"))),
    *((flag_itself, x, flag) for x in (1.7, -1.2) for flag in (True, False)),
    *((tuples_in_order, 1.7, y) for y in (0.4, 2.2)),
    (classes_are_known, V),
    (deleted_parts, V),
    (deleted_and_missed, V),
]


@pytest.mark.parametrize("case", PROGRAMS, ids=lambda case: case[0].__name__)
def test_what_is_asked(monkeypatch: pytest.MonkeyPatch, case: tuple[Any, ...]) -> None:
    function, *args = case
    check(monkeypatch, function, *args)
    assert honest(function, tuple(args), {}) == "honest"


def least_of_one(x):
    return min(1, x[0]) * x[1]


def largest_of_one(x):
    return max(1, x[2]) + max([True, x[2]]) * max(1, 2, x[2])


def largest_so_far(x):
    y = 0
    for v in x:
        y = max(y, v)
    return y


def least_of_what_counts(x):
    y = 1
    for v in x:
        y = min(y, v * v)
    return y


@pytest.mark.parametrize(
    "function", [least_of_one, largest_of_one, largest_so_far, least_of_what_counts]
)
def test_one_of_a_whole_number_and_another(monkeypatch, function):
    check(monkeypatch, function, np.array([0.73, -1.43, 2.37, 0.81]))


def rest_of_a_division(x):
    return divmod(x[0], np.int64(1) or 2)[1] * x[1]


def key_of_the_largest(x):
    table = {}
    for i in range(3):
        table[i] = x[i] * x[i]
    return table[max(table, key=table.get)] * x[0]


@pytest.mark.parametrize(
    "function", [rest_of_a_division, pytest.param(key_of_the_largest, marks=pytest.mark.followed)]
)
def test_never_another_number(function):
    x = np.array([0.73, -1.43, 2.37, 0.81])
    np.testing.assert_allclose(grad(function)(x), differences(function, (x,)), atol=1e-6)
