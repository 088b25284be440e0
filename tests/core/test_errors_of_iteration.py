"""Errors that Python raises while something is gone over: a dict that gets another key, a generator
that raises StopIteration; and what is found in a list because it is the same object.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from autodiff import grad, jvp
from tests.core.differences import check
from tests.core.judge import MODES, judge

X = np.array([0.5, 2.5, 0.3])


def known_key_then_another(x, n):
    table = {0: x[0]}
    s = 0.0
    for k in table:
        s += table[k]
        if k < n:
            table[k + 1] = x[1]
    return s


def keys_found_when_it_runs(x, n):
    table = {i: x[i] for i in range(2)}
    s = 0.0
    for k in table:
        s += table[k] ** 2
        table[k + 10 * n] = x[2] * table[k]
    return s


def items(x, n):
    table = {"a": x[0], "b": x[1]}
    s = 0.0
    for _, v in table.items():
        s += v * v
        if n > 0:
            table["c"] = v
    return s


def values(x, n):
    table = {i: x[i] for i in range(3)}
    return sum([v + table.setdefault(k + 5 * n, v) for k, v in table.items()])


def taken_away(x, n):
    table = {i: x[i] for i in range(3)}
    s = 0.0
    for k in table:
        s += table[k]
        if k == n - 1:
            table.pop(k)
    return s


def by_another_name(x, n):
    table = {0: x[0], 1: x[1]}
    other = table
    s = 0.0
    for k in table:
        other[k + 2 * n] = x[2] * k
        s = s + table[k]
    return s


def in_the_last_iteration(x, n):
    table = {i: x[i] for i in range(3)}
    s = 0.0
    for i, k in enumerate(table):
        s += table[k] * i
        if i == 2 and n > 0:
            table[10] = x[0]
    return s


GROWING = [
    *(known_key_then_another, keys_found_when_it_runs, items, values, taken_away),
    *(by_another_name, in_the_last_iteration),
]


@pytest.mark.parametrize("function", GROWING, ids=lambda f: f.__name__)
def test_dict_that_changes_in_a_loop(function):
    message = "dictionary changed size during iteration"
    derived = grad(function), lambda x, n: jvp(function, (x, n), (x, None))
    for call in (function, *derived):
        with pytest.raises(RuntimeError, match=message):
            call(X, 1)


@pytest.mark.parametrize("function", GROWING, ids=lambda f: f.__name__)
def test_dict_that_keeps_its_keys(function):
    assert judge(function, [(X, 0)], ("x",), (*MODES, "jvp")).what == "right"


def left_before_it_shows(x, n):
    table = {"a": x[0], "b": x[1]}
    s = 0.0
    for k in table:
        s += table[k]
        if n == 0:
            table["c"] = x[2] ** 2
            break
    return s + table.get("c", 1.0)


def over_a_copy(x, n):
    table = {i: x[i] for i in range(3)}
    s = 0.0
    for k in list(table):
        s += table[k]
        table[7 + k] = x[0] * table.pop(k)
    return s + sum(table.values())


@pytest.mark.parametrize("function", [left_before_it_shows, over_a_copy], ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [0, 1])
def test_dict_that_may_change(function, n):
    assert judge(function, [(X, n)], ("x",), (*MODES, "jvp")).what == "right"


def in_a_try(x, n):
    table = {"a": x[0]}
    try:
        for k in table:
            if n > 0:
                table[k + "b"] = x[1]
    except RuntimeError:
        return x[2] ** 2
    return table["a"] ** 2


@pytest.mark.followed
def test_the_error_is_caught_where_it_is_in_python(monkeypatch):
    check(monkeypatch, in_a_try, X, 1)


def stopped_by_an_error(x, n):
    def given():
        yield x[0]
        if n > 0:
            raise StopIteration("over")
        yield x[1]

    s = 0.0
    for v in given():
        s += v * v
    return s


def stopped_and_caught(x, n):
    def given():
        yield x[0]
        if n > 0:
            raise StopIteration
        yield x[1]

    try:
        return sum(given())
    except RuntimeError:
        return x[1] ** 2


def test_generator_that_raises_stop_iteration():
    for call in (stopped_by_an_error, grad(stopped_by_an_error)):
        with pytest.raises(RuntimeError, match="generator raised StopIteration"):
            call(X, 1)
    for function in (stopped_by_an_error, stopped_and_caught):
        points = [(X, 0)] if function is stopped_by_an_error else [(X, 0), (X, 1)]
        assert judge(function, points, ("x",), (*MODES, "jvp")).what == "right"


def same_object(x, n):
    v = math.nan * x[0]
    found = [x[0], v, x[1]]
    more = []
    for i in range(3):
        more.append(x[i] * (math.nan if i == 1 else 1.0))
    w = more[1]
    found.remove(v)
    return x[1] * [x[0], v].index(v) + x[0] * more.count(w) + more.index(w) * x[2] + sum(found)


def test_found_by_identity():
    assert judge(same_object, [(X, 0)], ("x",), (*MODES, "jvp")).what == "right"
