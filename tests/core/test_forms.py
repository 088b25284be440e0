"""What changes its form: in loops that are written out, in attributes that objects get later, where
one path alone raises an error, in tuples of different lengths, and as lists of an array's numbers.
"""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad
from tests.core.judge import Verdict, judge

X = np.array([0.7, 0.4, 1.2])


class Counter:
    total = 0.5

    def __init__(self, v):
        self.v = v

    def add(self, k):
        self.total += k * self.v
        return self


class Slots:
    __slots__ = ("a", "b")


def tuple_of_a_while(x, n):
    i, found = 0, ()
    while i < 4:
        found = (*found, x[i % 3] * i)
        i += 1
        if i == n:
            break
    return sum(found) * x[0]


def linked(x, n):
    node = None
    for k in range(3):
        if n > k:
            node = (x[k], node)
    s = 0.5
    while node is not None:
        v, node = node
        s = s * v + v
    return s


def functions_of_functions(x, n):
    f = lambda v: v  # noqa: E731
    for _ in range(3):
        f = lambda v, g=f: g(v) * x[1] + v  # noqa: E731
        if n > 1:
            x = x * 1.1
    return f(x[0])


def tuples_of_different_lengths(x, n):
    found = []
    for k in range(3):
        for j in range(2):
            found = [*found, (x[k],) * (j + 1)]
    s = 0.0
    for each in found:
        for v in each:
            s = s * 1.1 + v * v * n
    return s


def tuples_that_are_appended(x, n):
    found, s = [], 0.0
    for k in range(n):
        found.append((x[k % 3], x[1]) if k != 1 else (x[2],))
        for v in found[-1]:
            s = s * 1.1 + v * v * n
    return s + found[0][0] if n else s


def attribute_of_a_loop(x, n):
    c = Counter(x[0])
    for k in range(n):
        c.w = x[1] * k
    return c.w * c.v if n > 0 else c.v


def attribute_of_the_class(x, n):
    c = Counter(x[0])
    d = c
    for k in range(n):
        d.add(x[k % 3])
    return c.total * d.v


def attribute_of_a_branch(x, n):
    c = Counter(x[0])
    if n > 1:
        c.total = x[1]
    return c.total * c.v + Counter.total


def attribute_of_slots(x, n):
    c = Slots()
    c.a = x[0]
    for k in range(n):
        c.b = c.a * x[k % 3]
        c.a = c.b + 1.0
    return c.a * c.b if n else c.a


def attribute_that_is_missed(x, n):
    c = Counter(x[0])
    for _ in range(n):
        try:
            c.w = c.w * 1.1
        except AttributeError:
            c.w = x[1]
        c.w = c.w * x[0]
    return c.w if n else x[0]


def raised_on_one_path(x, n):
    y = None
    if n > 1:
        y = x
    z = x[0] * 2.0
    try:
        z = x[1] * 3.0
        w = y.sum()
        z = z * w
    except AttributeError:
        z = z * z
    return z


def best_of_rows(x, n):
    best = row = None
    for k in range(n):
        if best is None or x[k] > best:
            best, row = x[k], x * k
    return best * row.sum() if n else x[0]


def numbers_of_a_table(x, n):
    rows = np.outer(x, x).tolist()
    for k in range(n):
        rows[k % 3][0] = rows[k % 3][1] * x[k % 3]
    s = 0.0
    for row in rows:
        for v in row:
            s = s * 0.9 + v * v
    return s


def numbers_and_places(x, n):
    a, b, c = x.tolist()
    s = a * b if n > 1 else a / c
    for k, larger in zip(np.arange(3).tolist(), (x > 0.5).tolist()):
        if larger:
            s = s + x[k] ** 2
    return s


def stacked_and_kept(x, n):
    h, kept = x * 1.0, []
    for _ in range(n):
        c = np.concatenate([h, x])
        h[0] = c[1] * 2.0
        h = c[:3] * c[3:]
        kept.append(h)
        h = np.tanh(h)
    return sum(np.sum(each * x) for each in kept) + x[0]


def made_in_a_loop(x, n):
    s = 0.0
    for i in range(n):
        if i > 0:
            s = s + previous.v * x[0]  # noqa: F821
            previous.v = previous.v * 2.0  # noqa: F821
        c = Counter(x[i % 3])
        c.v = c.v * x[1]
        previous = c
    return s + (previous.v if n else x[2])


def the_last_of_a_list(x, n):
    kept = []
    for i in range(n):
        c = Counter(x[i % 3] * x)
        kept.append(c)
        c.v[0] = x[1]
    if n:
        c.v = c.v * 2.0
    return sum(np.sum(each.v * x) for each in kept) + x[0]


def of_a_loop_in_a_loop(x, n):
    s = x[0]
    for _ in range(2):
        for i in range(n):
            c = Counter(x[i % 3] * s)
            c.v = c.v * x[1]
        if n:
            s = s + c.v
    return s


def lists_of_before(x, n):
    for i in range(n):
        items = [x[i % 3], x[0] * i]
        if i > 1:
            last[0] = last[0] * items[1]  # noqa: F821
        last = items
    return last[0] * last[1] + items[0] if n else x[0]


def longer_lists(x, n):
    items = [x[0], x[1] * x[0]]
    first = items
    for i in range(n):
        items = [*items, x[i % 3] * i + items[-1]]
        first[0] = first[0] * 1.5
    return items[0] * items[-1] * first[1] + first[0]


def the_object_of_before(x, n):
    c = Counter(x[0])
    for _ in range(n):
        old = c
        c = Counter(c.v * x[1])
        old.v = old.v + x[2]
    return c.v + (old.v if n else 0.0)


def largest_of_either(x, n):
    total = 0.0
    for k in range(n):
        total = total + x * (k + 1.0)
    return np.max(total) * np.sum(x) + np.min(total * x[0])


FUNCTIONS = [
    largest_of_either,
    made_in_a_loop,
    the_last_of_a_list,
    of_a_loop_in_a_loop,
    lists_of_before,
    longer_lists,
    the_object_of_before,
    tuple_of_a_while,
    linked,
    functions_of_functions,
    tuples_of_different_lengths,
    tuples_that_are_appended,
    attribute_of_a_loop,
    attribute_of_the_class,
    attribute_of_a_branch,
    attribute_of_slots,
    attribute_that_is_missed,
    raised_on_one_path,
    best_of_rows,
    numbers_of_a_table,
    numbers_and_places,
    stacked_and_kept,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_forms(function):
    points = [(X, 0), (X, 1), (X, 2), (X, 3)]
    assert judge(function, points, ("x",)) == Verdict("right")


def missing(x, n):
    y = None if n > 1 else x
    return y.sum() * x[0]


def test_what_surely_raises_does_so_where_it_runs():
    derivative = grad(missing)
    assert "raise AttributeError(" in derivative.source_for(X, 1)
    with pytest.raises(AttributeError):
        derivative(X, 2)
