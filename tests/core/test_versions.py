"""What memory held once is not computed again from what it holds now; lists have no sum."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.core.judge import Verdict, judge

X, AT = np.array([0.4, 1.3, 0.7]), np.array([0, 2])


def copy_that_is_changed(x, at, n):
    s = 0.0
    for _ in range(n):
        w = x[at]
        s += np.sum(np.sin(w))
        w[0] = w[0] * w[1]
        s += np.sum(np.sin(w) * x[:2] * w)
    return s


def copy_that_a_loop_changes(x, at, n):
    s = 0.0
    for _ in range(n):
        w = x[at]
        for k in range(2):
            w[k] = w[k - 1] * w[1]
            s += np.sum(np.sin(w) * x[:2] * w)
    return s


def copy_that_changes_through_a_view(x, at, n):
    s = 0.0
    for _ in range(n):
        w = x[at]
        v = w[1:]
        v[0] = w[0] * w[1]
        s += np.sum(np.sin(w) * x[:2] * w)
    return s


def copy_by_a_mask(x, at, n):
    s = 0.0
    for _ in range(n):
        w = x[x > 0.5]
        w *= w[0]
        s += np.sum(np.sin(w) * w)
    return s


def copy_on_one_branch(x, at, n):
    s = 0.0
    for i in range(n):
        if i > 0:
            w = x[at]
            w[0] *= w[1]
            s += np.sum(np.sin(w) * w)
        else:
            w = x[:2] * 1.0
        w[1] *= w[0]
        s += np.sum(np.sin(w) * x[:2])
    return s


def copy_of_a_copy(x, at, n):
    s = 0.0
    for _ in range(n):
        w = x[at]
        c = w.copy()
        w[0] *= c[1]
        c[1] *= w[0]
        s += np.sum(np.sin(w) * c)
    return s


def copy_that_a_list_holds(x, at, n):
    s = 0.0
    for _ in range(n):
        w = x[at]
        items = [w, w * 2.0]
        for k in range(2):
            items[k][0] *= items[k - 1][1]
            s += np.sum(np.sin(w) * items[k])
    return s


def item_by_a_function(x, at, n):
    items = [x * 1.0, x * 2.0]
    s = 0.0
    for i in range(n):
        c = operator.getitem(items, i)
        s += np.sum(c * c)
        items[i][0] *= items[i][1]
        s += np.sum(c * c * x)
    return s


def inactive_item_by_a_function(x, at, n):
    items = [at * 1.0, at * 2.0 + 1.0]
    s = 0.0
    for i in range(n):
        c = operator.getitem(items, i)
        s += np.sum(c * x[:2] * x[:2])
        items[i][0] += items[i][1]
    return s


def list_as_an_array_while_it_grows(x, at, n):
    items = [x[:2] * 1.0]
    s = 0.0
    for i in range(n):
        items.append(items[i] * x[1])
        s += np.sum(np.asarray(items) * x[0])
        items[0][0] *= 1.5
    return s


def list_used_whole_in_several_ways(x, at, n):
    items = []
    for i in range(n + 1):
        items.append(x * x[i])
    m = np.vstack(items)
    return np.sum(m * m) + np.sum(np.hstack(items) ** 3) * np.sum(np.concatenate(items))


def array_of_a_list_that_is_changed(x, at, n):
    items = [x * 1.0]
    for i in range(n):
        items.append(items[i] * x[1])
    a = np.array(items)
    a[0] *= 2.0
    items[0][1] *= 3.0
    return np.sum(a * a) + np.sum(items[0] * items[-1])


def array_defined_in_a_loop(x, at, n):
    s = 0.0
    for k in range(n):
        t = x * (k + 1.0)
        for _ in range(k + 1):
            q = np.cos(t)
            t = t + 0.1 * q * x
        s = s + np.sum(q * t)
    return s * np.sum(q)


FUNCTIONS: list[Callable[..., Any]] = [
    *(copy_that_is_changed, copy_that_a_loop_changes, copy_that_changes_through_a_view),
    *(copy_by_a_mask, copy_on_one_branch, copy_of_a_copy, copy_that_a_list_holds),
    *(item_by_a_function, inactive_item_by_a_function, list_as_an_array_while_it_grows),
    *(list_used_whole_in_several_ways, array_of_a_list_that_is_changed, array_defined_in_a_loop),
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_right(function: Callable[..., Any]) -> None:
    assert judge(function, [(X, AT, 2), (1.2 * X, AT, 1)], ("x",)) == Verdict("right")
