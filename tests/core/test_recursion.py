"""Functions that call themselves and are given functions, containers and variables around them
(lower/functions/recursion.py, lower/functions/conversion.py).
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, grad, jacobian, jvp
from tests.core.judge import Verdict, judge

A = np.array([0.7, 0.4, 1.2])


def reads_what_is_around(x, a):
    w = np.cos(a)

    def total(lo, hi):
        if hi - lo == 1:
            return a[lo] ** 2 * w[lo] * x
        mid = (lo + hi) // 2
        return total(lo, mid) * total(mid, hi) + w[mid]

    return total(0, len(a))


def reads_what_is_assigned_again(x, a):
    c = x

    def power(n):
        return c if n == 0 else c * power(n - 1)

    total = power(len(a))
    for k in range(len(a)):
        c = c * a[k] + 0.1 * k
        total = total + power(k)
    return total


def two_that_call_each_other(x, a):
    c, n = x * x, len(a)

    def even(k):
        return c if k == 0 else odd(k - 1) * c

    def odd(k):
        return a[0] if k == 0 else even(k - 1) + c

    return even(n) * odd(n - 1)


def adaptive(f, lo, hi, depth=0, tol=1e-1):
    mid = 0.5 * (lo + hi)
    whole, halves = (hi - lo) * f(mid), 0.5 * (hi - lo) * (f(lo) + f(hi))
    if depth > 3 or abs(whole - halves) < tol:
        return halves
    left = adaptive(f, tol=tol / 2, depth=depth + 1, hi=mid, lo=lo)
    return left + adaptive(f, mid, hi, depth + 1, tol / 2)


def given_functions(x, a):
    scale = a[0]

    def wave(t, w):
        return np.sin(w * t) * scale

    one = adaptive(functools.partial(wave, w=2.0 * x), 0.0, 1.0)
    other = adaptive(lo=0.0, hi=a[1], f=lambda t: wave(t, a[2]) + x)
    return one * other + adaptive(np.exp, 0.0, x * x)


class Rate:
    def __init__(self, k, c):
        self.k, self.c = k, c

    def at(self, t):
        return np.exp(-self.k * t) * self.c


def given_a_method(x, a):
    rate = Rate(a[0], x)
    return adaptive(rate.at, 0.0, a[1]) * adaptive(Rate(x, 2.0).at, 0.0, 1.0)


def lends_what_it_is_given(x, a):
    def transform(v):
        if len(v) == 1:
            return v
        half = len(v) // 2
        p, q = transform(v[:half]), transform(v[half:])
        return np.concatenate([p * x, q + p[0]])

    return np.sum(transform(a * x) ** 2) + np.sum(transform(a))


def changes_what_it_lent(x, a):
    def last(v):
        if len(v) <= 1:
            return v
        return last(v[1:])

    b = a * x
    end = last(b)
    end[0] = end[0] * 3.0
    return np.sum(b) * end[0]


def changes_what_it_was_lent_from(x, a):
    def last(v):
        if len(v) <= 1:
            return v
        return last(v[1:])

    b = a * x
    end = last(b)
    b[-1] = x * x
    return end[0] * np.sum(b)


def weighted(pair, n):
    if n <= 0:
        return np.sum(pair[0] ** 2) * pair[1]
    return weighted(pair, n - 1) * pair[1] + n


def given_a_container(x, a):
    pair = [a * x, x]
    total = 1.0
    for k in range(len(a)):
        total = total + weighted(pair, k)
        pair[0] = pair[0] * 0.5
        pair[1] = pair[1] + total * 0.01
    return total


def descend(cell, n):
    if n <= 0:
        return cell.k
    cell.k = cell.k * 0.9
    return descend(cell, n - 1) * cell.k


def changes_an_object(x, a):
    cell = Rate(x, a[0])
    return descend(cell, len(a)) * cell.k


def counts(x, a):
    step = len(a) - 2

    def depth(n):
        return 0 if n <= 0 else 1 + depth(n - step)

    return x ** depth(len(a)) * a[0] + depth(2)


def made_at_each_level(x, a):
    def outer(n, f):
        if n <= 0:
            return f(x)

        def inner(v):
            return f(v) * a[0] + v

        return outer(n - 1, inner)

    return outer(2, np.sin)


def in_branches_and_loops(x, a):
    def f(n, v):
        if n <= 0:
            return v * x
        total = 0.0
        for k in range(n):
            if v > 0.5:
                total = total + f(n - 1, v * a[0])
            else:
                total = total - f(n - 1, v + a[1] * k)
        return total

    return f(len(a), x) + f(len(a) - 1, a[2])


def the_same_array_twice(x, a):
    def both(u, v, n):
        return np.sum(u * v) * x if n <= 0 else both(v, u * v, n - 1)

    b = a * x
    return both(b, b, len(a)) + both(a, b, len(a))


PROGRAMS = [
    reads_what_is_around,
    reads_what_is_assigned_again,
    two_that_call_each_other,
    given_functions,
    given_a_method,
    lends_what_it_is_given,
    given_a_container,
    counts,
    made_at_each_level,
    in_branches_and_loops,
    the_same_array_twice,
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_right(function: Any) -> None:
    points = [(0.8, A), (-1.3, A[::-1].copy()), (0.6, np.append(A, A * 0.7))]
    assert judge(function, points, ("x", "a")) == Verdict("right")


CHANGING = [changes_what_it_lent, changes_what_it_was_lent_from, changes_an_object]


@pytest.mark.parametrize("function", CHANGING, ids=lambda f: f.__name__)
def test_right_or_not_yet(function: Any) -> None:
    assert judge(function, [(0.8, A)], ("x", "a")).what in ("right", "not yet")


def sorted_in_place(x, a):
    def merge(v):
        if len(v) < 2:
            return
        m = len(v) // 2
        left, right = v[:m].copy(), v[m:].copy()
        merge(left)
        merge(right)
        i = j = 0
        for k in range(len(v)):
            if j == len(right) or i < len(left) and left[i] < right[j]:
                v[k] = left[i]
                i += 1
            else:
                v[k] = right[j]
                j += 1

    y = a * x
    merge(y)
    return np.sum(y * np.arange(1.0, len(y) + 1.0) ** 2)


def in_windows(x, a):
    def halves(v):
        if len(v) < 2:
            v *= x
            return
        m = len(v) // 2
        halves(v[:m])
        v[m:] *= np.sum(v[:m])
        halves(v[m:])

    halves(a)
    return np.sum(a**2) * x


def returns_what_it_changes(x, a):
    def turned(v, n):
        if n <= 0:
            return v
        v *= np.cos(v)
        return turned(v, n - 1)

    b = a * x
    c = turned(b, len(a))
    c[0] = x
    b[1] *= a[2]
    return np.sum(b * c)


def gives_a_value_too(x, a):
    def folded(v, n):
        if n <= 0:
            return v[0] * x
        v[n] *= v[n - 1]
        t = folded(v, n - 1)
        v[n] += t
        return t * v[n]

    b = a * 0.5
    return folded(b, len(a) - 1) * np.sum(b)


def fills_a_table_around_it(x, a):
    n = len(a)
    table, done = np.zeros(n), np.zeros(n, bool)

    def f(k):
        if k < 2:
            return a[k] * x
        if not done[k]:
            table[k] = f(k - 1) * a[k] + f(k - 2)
            done[k] = True
        return table[k]

    return f(n - 1) * x


def gives_pairs(x, a):
    def pair(v, n):
        if n <= 0:
            return v, np.sum(v) * x
        u, s = pair(v[1:], n - 1)
        return u * s, s + v[0]

    u, s = pair(a, len(a) - 2)
    return np.sum(u) * s


def results_that_are_changed(x, a):
    def turned(v, n):
        v *= np.cos(v)
        if n <= 0:
            return v.copy()
        w = turned(v, n - 1)
        v += w
        return w * 2.0

    b = a * x
    c = turned(b, len(a) - 1)
    c[0] = 1.0
    return np.sum(b * c) + np.sum(b)


def a_number_beside_what_is_changed(x, a):
    def scaled(v, n):
        if n <= 0:
            return v * 2.0, np.sum(v)
        w, s = scaled(v * 0.9, n - 1)
        w[0] *= 0.3 * s
        return np.sin(w * v), s + v[1]

    w, s = scaled(a * x, len(a) - 1)
    w[1] = x * s
    return np.sum(w * w) * s


def tuples_in_tuples(x, a):
    def nested(v, n):
        v *= np.sin(v)
        if n <= 0:
            return v * 2.0, np.sum(v), (v + 1.0, v[0])
        w, s, (u, t) = nested(v, n - 1)
        w[0] *= s
        u[1] += t
        return w * v + u, s + v[1], (u * v, t * s)

    total, b = 0.0, a * x
    for i in range(2):
        w, s, (u, t) = nested(b, i + len(a) - 2)
        w[i] *= s
        total = total + np.sum(w * u) * t
    return total


def changed(a, b, n):
    if n <= 0:
        return
    a *= b
    b += np.sin(a)
    changed(b, a, n - 1)


def two_in_turns(x, a):
    b, c = a * x, a + x
    changed(b, c, len(a) - 1)
    return np.sum(b * c)


IN_PLACE = [
    sorted_in_place,
    in_windows,
    returns_what_it_changes,
    gives_a_value_too,
    fills_a_table_around_it,
    gives_pairs,
    two_in_turns,
    results_that_are_changed,
    a_number_beside_what_is_changed,
    tuples_in_tuples,
]


@pytest.mark.parametrize("function", IN_PLACE, ids=lambda f: f.__name__)
def test_arrays_that_are_changed_are_given_back(function: Any) -> None:
    points = [(0.8, A), (-1.3, A[::-1].copy()), (0.6, np.append(A, A * 0.7))]
    modes = ("grad", "value_and_grad", "vjp", "jvp")
    assert judge(function, points, ("x", "a"), modes=modes) == Verdict("right")
    alone = jacobian(grad(function, wrt=1), wrt=1)(0.8, A)  # the second derivative
    steps = 1e-6 * np.eye(3)
    slopes = grad(function, wrt=1)
    rows = [(slopes(0.8, A + s) - slopes(0.8, A - s)) / 2e-6 for s in steps]
    np.testing.assert_allclose(alone, np.transpose(rows), rtol=1e-6, atol=1e-7)


def one_array_twice(x, a):
    b = a * x
    changed(b, b, len(a))
    return np.sum(b)


def parts_of_one_array(x, a):
    b = a * x
    changed(b[:2], b[1:], len(a))
    return np.sum(b)


def gives_a_view_of_what_it_changes(x, a):
    def rest(v, n):
        if n <= 0:
            return v[1:]
        v *= np.cos(v)
        return rest(v, n - 1)

    b = a * x
    c = rest(b, len(a))
    c[0] = x
    return np.sum(b) + np.sum(c)


@pytest.mark.parametrize(
    "function", [one_array_twice, parts_of_one_array, gives_a_view_of_what_it_changes]
)
def test_memory_in_two_hands_is_refused(function: Any) -> None:
    for take in (grad, lambda f: lambda *args: jvp(f, args, args)):
        with pytest.raises(
            AutodiffError, match=r"calls itself(.|\n)*write the recursion as a loop"
        ):
            take(function)(0.8, A.copy())


def test_one_function_for_arrays_of_any_size() -> None:
    gradient = grad(sorted_in_place, wrt="a")
    gradient(0.8, A)
    assert gradient.source.count("def merge_vjp") == 1
    assert "(left)" in gradient.source  # no copy of what takes one itself
    assert "l_bar[...] = " not in gradient.source
