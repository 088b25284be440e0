"""Functions in containers: loops over them are written out. Functions that compare by a key,
decorators (`entries/objects.py`) and managers (`statement/managers.py`): they are calls.
"""

from __future__ import annotations

import contextlib
import functools
from typing import Any

import numpy as np
import pytest

from autodiff import grad
from tests.core.differences import check
from tests.core.judge import Verdict, judge

A = np.array([0.7, 0.4, 1.2])


def reads_the_last(x, a):
    fs = []
    for k in range(3):
        fs.append(lambda v: v * a[k] + k)
    first = fs[0](x)
    k = 0
    return first * fs[1](x * 2.0) + fs[2](k + x)


def keeps_its_own(x, a):
    fs = {}
    for k in range(3):
        fs[k] = functools.partial(lambda c, v: v * c, a[k] * x)
        a = a * x
    return fs[0](x) * fs[2](2.0) + np.sum(a)


def reads_what_changes(x, a):
    b = a * 1.0
    fs = []
    for k in range(2):
        fs.append(lambda v, k=k: v * b[k])
    y = fs[0](x)
    b[0] = x * x
    b[1] = y
    return y * fs[0](x) + fs[1](x)


def in_nested_loops(x, a):
    fs = []
    for i in range(2):
        for j in range(2):
            fs.append((i, lambda v, j=j: v * a[i] + a[j]))
    total = 0.0
    for i, f in fs:
        total = total + f(x) * (i + 1)
    return total


def taken_out_again(x, a):
    fs = [np.sin, lambda v: v * x, np.cos]
    y = x
    while fs:
        y = fs.pop()(y) + a[len(fs)]
    return y


def by_a_test(x, a):
    fs = []
    for k in range(3):
        if a[k] > 0.5:
            fs.append(lambda v, k=k: v * a[k])
        else:
            fs.append(lambda v: v + x)
    return fs[0](x) * fs[1](x) + fs[2](a[0])


def largest_of_equals(x, a):
    pairs = [(x, a[0]), (x * x, a[1]), (a[2], x)]
    one = max(pairs, key=lambda p: p[0] > 0)
    other = min(pairs, key=lambda p: p[0] > 0)
    return one[0] * one[1] + other[1] * max(a, key=lambda v: -v) + min(x, a[0], key=np.cos)


def default_of_nothing(x, a):
    return max([], default=x) * min([a[1], x], default=0.0, key=None) + max(
        (), key=abs, default=a[0]
    )


def sorted_stably(x, a):
    rows = [(1, x), (0, a[0]), (1, a[1]), (0, a[2])]
    up = sorted(rows, key=lambda r: r[0])
    down = sorted(rows, key=lambda r: r[0], reverse=True)
    total = 0.0
    for k, ((_, u), (_, d)) in enumerate(zip(up, down)):
        total = total + (k + 1) * u * (d + k)
    return total


def sorted_by_numbers(x, a):
    order = sorted([0, 1, 2], key=lambda k: a[k] * x)
    y = sorted([x, a[1], a[2]], key=lambda v: -v)
    return x * a[order[0]] + a[order[2]] ** 3 + y[0] * y[1] * y[1]


def key_that_changes(x, a):
    b = a * 1.0

    def key(v):
        b[0] *= v
        return v

    y = max([x, b[1]], key=key)
    return y * np.sum(b * b)


def decorated(x, a):
    log = []

    def times(c):
        log.append(c)

        def wrap(f):
            @functools.wraps(f)
            def inner(*args, **named):
                return f(*args, **named) * c

            return inner

        return wrap

    @times(x)
    @times(2.0)
    def f(v, w=a[0]):
        return v * w

    return f(x) + f(a[1], w=a[2]) * log[0] * len(log)


def managed_by_a_generator(x, a):
    b = a * 1.0

    @contextlib.contextmanager
    def scaled(c):
        b[0] *= c
        try:
            yield b[0] * c
        finally:
            b[1] += c

    total = 0.0
    for k in range(2):
        with scaled(x + k) as s:
            total = total + s * np.sum(b)
    return total * b[1]


def yields_on_a_path(x, a):
    @contextlib.contextmanager
    def some(c):
        if c > 0:
            yield c
        else:
            yield -c

    with some(x) as s:
        return s * a[0]


def flat_twice(x, a):
    m = np.outer(a, a) * x
    total, it = 0.0, m.flat
    for k, v in enumerate(it):
        total = total * 1.1 + v * k
        m[2, 2] = x
        if k == 4:
            break
    for v in it:
        total = total + v**2
    return total


def flat_while_it_changes(x, a):
    m = np.outer(a, a).T
    total = 0.0
    for v in m.flat:
        total = total * 1.1 + v * x
        m[2, 2] = total
    return total


def best_of_none(x, a):
    best, least = None, 1e9
    for k in (1, 2, 3):
        f = functools.partial(lambda k, v: v**k * x, k)
        if abs(f(a[1])) < least:
            least, best = abs(f(a[1])), f
    called = None if x > 0.0 else best
    try:
        return best(a[2]) * called(x)
    except TypeError:
        return best(x) * a[0]


PROGRAMS = [
    best_of_none,
    flat_while_it_changes,
    reads_the_last,
    keeps_its_own,
    reads_what_changes,
    in_nested_loops,
    largest_of_equals,
    default_of_nothing,
    sorted_stably,
    sorted_by_numbers,
    key_that_changes,
    decorated,
    managed_by_a_generator,
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_right(function: Any) -> None:
    assert judge(function, [(0.8, A), (-1.3, A[::-1].copy())], ("x", "a")) == Verdict("right")


@pytest.mark.parametrize(
    "function", [flat_twice, taken_out_again, by_a_test, yields_on_a_path], ids=lambda f: f.__name__
)
def test_right_or_not_yet(function: Any) -> None:
    assert judge(function, [(0.8, A)], ("x", "a")).what in ("right", "not yet")


def none_at_all(x, a):
    f = None if x < 0.0 else np.sin
    return f(x) * a[0]


def test_none_is_called_where_it_runs():
    assert judge(none_at_all, [(0.8, A)], ("x", "a")) == Verdict("right")
    with pytest.raises(TypeError, match="'NoneType' object is not callable"):
        grad(none_at_all)(-0.8, A)


# Functions in comprehensions ---------------------------------------------------------------------


def over_functions(x):
    return sum([f(x[0]) for f in (np.sin, np.cos, lambda t: t**2)])


def over_items_and_functions(x):
    return sum([f(v) for v in x for f in (lambda t: t * 2, lambda t: t * t)])


def called_at_once(x):
    return sum([(lambda t: t * x[0])(v) for v in x])


def sorted_by_one(x):
    return sum([sorted([v, x[0]], key=lambda q: -q)[0] for v in x])


@pytest.mark.parametrize(
    "f", [over_functions, over_items_and_functions, called_at_once, sorted_by_one]
)
def test_functions_in_comprehensions(f, monkeypatch):
    check(monkeypatch, f, np.array([0.7, 1.3, 0.4]))


def by_its_name(x):
    def decay(t):
        return t * x

    class Named:
        def __init__(self, function):
            self.function, self.name = function, function.__name__

    named = Named(decay)
    scale = {"decay": 2.0, "<lambda>": 5.0}
    return named.function(x) * scale[named.name] + scale[(lambda t: t).__name__] * x


def told_whom_it_wraps(x):
    def decay(t):
        return t * x

    def other(t):
        return decay(t)

    functools.update_wrapper(other, decay)
    return other(x) * (2.0 if other.__name__ == "decay" else 3.0)


def wrapped(x):
    def decay(t):
        return t * x

    @functools.wraps(decay)
    def other(t):
        return decay(t)

    return other(x) * (2.0 if other.__name__ == "decay" else 3.0)


def test_names_of_functions():
    assert judge(by_its_name, [(1.3,)], ("x",)).what == "right"
    for function in (told_whom_it_wraps, wrapped):
        assert judge(function, [(1.3,)], ("x",)).what in ("right", "not yet")
