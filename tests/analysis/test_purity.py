"""Which functions are known to leave their arguments as they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff.analysis.purity import may_change_arguments
from autodiff.rules import registry


def array_in_a_dict(x):
    d = {"u": x * 1.0, "s": 0.0}
    for _ in range(2):
        d["u"][1:] = np.sin(d["u"][:-1]) * d["u"][1:]
        d["s"] += d["u"][1] * d["u"][2]
    return d["u"] * d["s"]


def table_of_rows(x):
    rows = [[0.0] * 3 for _ in range(2)]
    for i in range(2):
        for j in range(3):
            rows[i][j] = x[i] * x[j]
    rows[1][1] += rows[0][2]
    return rows[1][1]


def counted(x):
    d = defaultdict(float)
    for k in range(4):
        d[k % 2] += x[k] ** 2
    return d[0] * d[1]


def nested(x):
    state = {"a": {"v": np.zeros_like(x)}, "t": []}
    for k in range(3):
        state["a"]["v"][k] = x[k] ** 2
        state["t"].append(x[k] - 1.0)
    return state


def exchanged(x):
    u, w = x * 1.0, x * 2.0
    u, w = w, u
    u[0] = w[1]
    w += u
    return u * w


def given_another_value(x):
    x = x * 1.0
    x[0] = 0.0
    return x


def sum_of_items(x):
    s = 0.0
    for k in range(3):
        s += x[k]
    return s


CHANGE_NOTHING = [
    *(array_in_a_dict, table_of_rows, counted, nested, exchanged, given_another_value),
    sum_of_items,
]


def another_name(x):
    u = x
    u += 1.0


def a_view(x):
    row = x[1:]
    row *= 2.0


def on_a_branch(x, c):
    u = x * 1.0
    if c:
        u = x
    u += 1.0


def held(x):
    d = {"u": x}
    d["u"][1:] = 0.0


def held_and_added_to(x):
    d = {"u": x}
    d["u"] += 1.0


def put_in_later(x):
    d = {"u": x * 1.0}
    for k in range(2):
        d["u"][0] = k
        d["u"] = x


def by_another_name_of_the_dict(x):
    d = {"u": x * 1.0}
    e = d
    e["u"] = x
    d["u"][0] = 1.0


def in_a_sum_of_lists(x):
    xs = [x]
    ys = [x * 1.0] + xs
    ys[1][0] = 5.0


def in_a_repeated_list(xs, n):
    ys = xs * n
    ys[0][0] = 5.0


def in_a_list_repeated_by_a_counter(xs):
    for k in range(1, 2):
        ys = xs * k
        ys[0] += 5.0


def appended(x):
    state = {"t": []}
    state["t"].append(x)
    state["t"][0][1] = 3.0


def spread(d):
    e = {**d}
    e["u"][0] = 1.0


def copied_dict(d):
    e = dict(d)
    e["u"] += 1.0


def taken_out(x):
    xs = [x]
    u = xs.pop()
    u[0] = 1.0


def in_a_function_inside(x):
    b = x * 1.0

    def change(b):
        b[0] = 1.0

    change(x)
    return b


CHANGE = [
    *(another_name, a_view, on_a_branch, held, held_and_added_to, put_in_later),
    *(by_another_name_of_the_dict, in_a_sum_of_lists, in_a_repeated_list, appended, spread),
    *(in_a_list_repeated_by_a_counter, copied_dict, taken_out, in_a_function_inside),
]
X = np.array([0.3, 0.7, -0.4, 1.1])


@pytest.fixture(autouse=True)
def _rules() -> None:
    registry.load()


def arguments(function: Callable[..., Any]) -> list[Any]:
    own = function.__code__.co_varnames[: function.__code__.co_argcount]
    values = {"x": X.copy(), "xs": [X.copy()], "d": {"u": X.copy()}, "n": 2, "c": True}
    return [values[p] for p in own]


@pytest.mark.parametrize("function", CHANGE_NOTHING, ids=lambda f: f.__name__)
def test_what_changes_nothing(function: Callable[..., Any]) -> None:
    given = arguments(function)
    function(*given)
    np.testing.assert_equal(given, arguments(function))
    assert not may_change_arguments(function, [np.ndarray])


@pytest.mark.parametrize("function", CHANGE, ids=lambda f: f.__name__)
def test_what_changes_something(function: Callable[..., Any]) -> None:
    given = arguments(function)
    function(*given)
    with pytest.raises(AssertionError):
        np.testing.assert_equal(given, arguments(function))
    assert may_change_arguments(function)
    assert may_change_arguments(function, [type(a) for a in given])
