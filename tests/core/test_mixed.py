"""Variables that hold things of different forms by path (`lower/entries/mixed.py`)."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from autodiff import grad
from tests.core.differences import check
from tests.core.judge import Verdict, core_alone, judge

X = np.array([0.7, 0.4, 1.2])


class Cell:
    def __init__(self, v):
        self.v = v

    def scaled(self, k):
        return self.v * k


def functions(x, c):
    f = np.sin if c > 0 else np.cos
    y = f(x) * 2.0
    return np.sum(y * f(y))


def own_functions(x, c):
    k = x[0]
    f = (lambda v: v * k) if c > 0 else (lambda v, w=x[1]: v * v * w)
    k = k * x[2]
    return np.sum(f(x)) * f(x[1])


def bound_functions(x, c):
    cell = Cell(x[1])
    f = functools.partial(np.multiply, x) if c > 0 else cell.scaled
    cell.v = cell.v * x[0]
    return np.sum(f(x[2] * c))


def lengths(x, c):
    parts = [x[0], x[1] * x[0]]
    if c > 0:
        parts = [*parts, x[2] ** 2]
    total = sum(parts)
    return total * parts[-1]


def arrays_or_numbers(x, c):
    y = x * x if c > 0 else x[0] * 2.0
    z = y * 3.0
    return np.sum(z * y)


def array_that_changes(x, c):
    y = x * x[1] if c > 0 else None
    s = x[0]
    if y is not None:
        y[0] = y[1] * s
        s = s * np.sum(y * x)
    if y is None:
        return s
    y *= x
    return s * np.sum(y**2)


def a_view_of_what_changes(x, c):
    u = x * 2.0
    v = u[1:] if c > 0 else None
    u[1] = u[0] * x[2]
    if v is not None:
        v[0] *= x[1]
    return np.sum(u * x)


def objects_of_before(x, c):
    a, b = Cell(x[0]), Cell(x * x)
    d = a if c > 0 else b
    d.v = d.v * x[1]
    d.v = d.v + a.v
    return np.sum(a.v * b.v) * np.sum(d.v)


def objects_made_in_a_branch(x, c):
    d = None
    if c > 0:
        d = Cell(x[0] * x[1])
        e = d
    y = x[2]
    if d is not None:
        d.v = d.v * y
        y = y * e.v
    return y * d.v if d is not None else y * y


def the_same_object_twice(x, c):
    a = Cell(x[0])
    pair = (a, a) if c > 0 else (a,)
    pair[0].v = a.v * x[1]
    pair[-1].v = pair[-1].v * x[2] + pair[0].v
    return a.v * len(pair)


def inside_each_other(x, c):
    f = None
    if c > 0:
        f = np.sin if x[0] > 0.5 else np.cos
    y = x * c
    if f is not None:
        y = f(y) * x
        y = f(y)
    return np.sum(y)


def half(x, k):
    return None if k % 2 else (x * k, x[0])


def in_a_loop(x, c):
    total = x[1]
    for k in range(4):
        found = half(x * total, k)
        if found is None:
            total = total * x[0]
            continue
        array, number = found
        total = total + np.sum(array) * number * c
    return total


def kept_through_a_loop(x, c):
    f = np.sin if c > 0 else None
    s = x[0]
    for k in range(3):
        if f is not None and k > 0:
            s = f(s) * x[k]
        else:
            s = s * x[1]
    return s


def changes_in_a_loop(x, c):
    f = np.sin if c > 0 else (lambda v: v * x[0])
    s = x[1]
    for k in range(3):
        s = f(s) * x[k]
        f = np.cos if s > 0.1 else np.sin
    return s


def told_by_an_error(x, c):
    found = None if c > 5 else (x[0] * c, x)
    if found is None:
        raise ValueError("none")
    number, array = found
    return number * np.sum(array)


def words(x, c):
    word = "low"
    if c > 0:
        word = "high"
        x = x * x[0]
    scale = {"low": x[1], "high": x[2]}
    return np.sum(x) * scale[word]


def both_tests(x, c):
    f = np.sin if c > 0 else np.cos
    if x[0] > 0.5 and f is np.sin:
        return f(x[0])
    g = f
    return np.sum(g(x) * f(x[0]))


FUNCTIONS = [
    *(functions, own_functions, bound_functions, lengths, arrays_or_numbers, changes_in_a_loop),
    *(objects_of_before, objects_made_in_a_branch, the_same_object_twice),
    *(inside_each_other, in_a_loop, kept_through_a_loop, told_by_an_error, words),
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_right_on_both_paths(function):
    assert judge(function, [(X, 1.5), (X, -0.5)], ("x",)) == Verdict("right")


@pytest.mark.parametrize("function", [array_that_changes, a_view_of_what_changes])
def test_memory_of_one_path(function):
    points = [(X, 1.5), (X, -0.5)]
    assert judge(function, points, ("x",), ("grad", "value_and_grad")) == Verdict("right")


def grows(x, c):
    parts = [x[0], x[1]]
    if c > 0:
        parts.append(x[2] * x[0])
    return sum(parts) * parts[-1]


def test_a_list_grows_in_a_branch():
    assert judge(grows, [(X, 1.5), (X, -0.5)], ("x",)) == Verdict("right")


def missing(x, c):
    if c > 0:
        f = np.sin
    return np.sum(f(x))


def test_both_tests_are_asked():
    assert judge(both_tests, [(X, 1.5), (X, -1.5)], ("x",)) == Verdict("right")


def test_a_function_of_one_path_is_called_there():
    assert judge(missing, [(X, 1.5)], ("x",)) == Verdict("right")
    with pytest.raises(UnboundLocalError):
        grad(missing)(X, -1.5)


def test_reads_as_calls_of_each():
    with core_alone():
        text = grad(functions).source_for(X, 1.5)
    assert "np.cos(x)" in text and "np.sin(x)" in text
    assert text.count("if c > 0:") == 2


def nothing_was_caught(x, c):
    f = x
    try:
        y = x[0] * x[int(c)]
        f = np.sin
    except IndexError:
        y = None
    if y is not None:
        return y * f(y)
    return np.sum(f * f[1])


def told_in_a_try(x, c):
    y = None if c > 1 else x * c
    s = x[0]
    try:
        if y is None:
            raise ValueError
        s = s * y[1]
    except ValueError:
        s = s * x[2]
    return s if y is None else s * np.sum(y)


@pytest.mark.parametrize("function", [nothing_was_caught, told_in_a_try], ids=lambda f: f.__name__)
def test_what_a_try_leaves(function):
    assert judge(function, [(X, 2.0), (X, 0.5), (X, 7.0)], ("x",)) == Verdict("right")


def dicts_of_views(x):
    y = x * 1.0
    d = {"p": y[1:], "q": y} if x[0] > 0.4 else {"r": y}
    y[1] = x[0] * x[1]
    t = 0.0
    for name in d:
        d[name][0] = d[name][0] * 2
        t = t + np.sum(d[name])
    return t * y[1] + y[0]


def lists_of_other_lengths(x):
    xs = [x[0], x[1]] if x[0] > 0.4 else [x[2]]
    ys = xs
    for k in range(len(xs)):
        for j in range(k + 1):
            ys[k] = ys[k] * x[j]
    xs.append(x[0])
    t = 0.0
    while xs:
        t = t * 0.5 + xs.pop() ** 2
    return t


def two_dicts(x):
    d = {"a": x[0]} if x[0] > 0.4 else {"b": x[1], "c": x[0]}
    e = {"a": x[0] * 2, "z": x[1]} if x[0] > 0.9 else {"b": x[1] * 3}
    t = 1.0
    for k in d:
        for j in e:
            t = t * (d[k] + e[j])
    return t


def one_of_three(x):
    if x[0] > 0.1:
        if x[1] > 0.9:
            d = {"a": x[0]}
        else:
            d = {"b": x[1], "c": x[0]}
        w = 1.0
    else:
        d = {"e": x[2]}
        w = 2.0
    t = w
    for k in d:
        t = t * d[k] + 1.0
    return t


def empty_or_not(x):
    d = {}
    if x[0] > 0.1:
        d = {"a": x[0], "b": x[1]}
    for k in d:
        d[k] = d[k] * x[1]
    t = 1.0
    for k in d:
        t = t * d[k]
    return t


@pytest.mark.parametrize("x", [X, X[::-1].copy()], ids=["one", "other"])
@pytest.mark.parametrize(
    "function",
    [dicts_of_views, lists_of_other_lengths, two_dicts, one_of_three, empty_or_not],
    ids=lambda f: f.__name__,
)
def test_containers_of_other_parts_are_memory(monkeypatch, function, x):
    check(monkeypatch, function, x)


def total(v):
    if isinstance(v, np.ndarray):
        return np.sum(v * v)
    if isinstance(v, (list, tuple)):
        return v[0] * 3.0 + v[1]
    return v * 2.0


def of_a_class(x, n):
    v = [x, x * x] if n == 1 else x
    return total(v) + (x if isinstance(v, (list, np.ndarray)) else 0.0)


@pytest.mark.parametrize("n", [1, 2])
def test_the_class_of_one_of_two(monkeypatch, n):
    check(monkeypatch, of_a_class, 1.3, n)
