"""Derivatives that are called inside (derivatives.py, lifted.py, ordinary.py):
what their functions read of the function around them changes before and after, and so does what
they give.
"""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad, value_and_grad
from autodiff.core.notyet import NotYet
from tests.core.judge import Verdict, core_alone, judge

A = np.array([0.5, 0.3, -0.6])
POINTS = [(0.7, A), (-1.2, A[::-1] * 1.5)]


def captured_written_between(x, a):
    w = a * x
    g = grad(lambda y: np.sum(w * w * y**2))
    s = np.sum(g(a))
    w *= 2.0
    s += np.sum(g(w))
    w[0] = x
    return s * np.sum(g(a))


def result_written(x, a):
    g = grad(lambda y: np.sum(y**3 * x))
    b = g(a)
    c = b * b
    b[0] = x
    b *= 2.0
    return np.sum(b * c)


def both_written(x, a):
    p, q = grad(lambda u, v: np.sum(u * v * x), (0, 1))(a, a)
    p[1] = x
    q *= p
    return np.sum(p * q)


def argument_changed_inside(x, a):
    def f(y):
        y *= x
        y[0] = y[1] * y[2]
        return np.sum(y**3)

    b = a * 1.0
    g = grad(f)(b)
    return np.sum(g * b)


def zero_iterations(x, a):
    def f(t, n):
        s = t
        for i in range(n):
            s = np.sin(s * t)
        return s

    return grad(f)(x, 0) + grad(f)(x, 3) * a[0]


def by_length(x, a):
    def f(y):
        s = x
        for v in y:
            s = np.sin(s * v) + s
        return s

    return np.sum(grad(f)(a[1:]) * a[1:])


def until(x, a):
    def f(t):
        s = t
        while s < 3.0:
            s = s * 1.5 + t * t * a[0] ** 2
        return s * s

    return grad(f)(abs(x) + 0.5) * x


def left(x, a):
    def f(t):
        s = t
        for v in a:
            if s * v > 0.6:
                break
            s = s * t + v * v
        return s * s

    return grad(f)(x) * x


def branches(x, a):
    def f(y):
        s = 0.0
        for v in y:
            if v > 0:
                s += v**3 * x
            else:
                s = s * v
        return s

    g = grad(f)(a)
    return np.sum(g**2)


def swapped(x, a):
    def f(y):
        u, w = y * x, y * y
        for k in range(3):
            w[1:] = u[:-1] * w[1:]
            u, w = w, u
        return np.sum(u * w)

    return np.sum(grad(f)(a) * a)


def third(x, a):
    f = lambda t: np.exp(t * x) * np.sum(np.sin(a * t))
    return grad(grad(grad(f)))(x)


def third_of_a_loop(x, a):
    def cubed(t):
        y = t * 1.0
        for _ in range(2):
            y = y * y * y
        return np.sum(y * a)

    return np.sum(grad(lambda t: np.sum(grad(cubed)(t) * t))(x * a) * a)


def lists_grow(x, a):
    def f(y):
        xs = [y[0]]
        for k in range(3):
            xs.append(xs[k] * y[k] * x)
        return xs[-1] * xs[1]

    return np.sum(grad(f)(a))


def of_a_list(x, a):
    ws = [a * x, a[1:] * 2.0]
    g = grad(lambda p: np.sum(p[0]) ** 2 * np.sum(p[1] ** 3))(ws)
    return np.sum(g[0] * ws[0]) + np.sum(g[1])


def maxima(x, a):
    return np.sum(
        grad(
            lambda y: (
                np.max(y * x)
                + np.sum(np.where(y > 0, y**3, y * y))
                + np.sum(np.abs(y) * np.maximum(y, x))
            )
        )(a)
        ** 2
        * a
    )


def bound_late(x, a):
    k = x
    g = grad(lambda t: k * t**3)
    s = g(x)
    for k in a:
        s = s * g(x) + k
    return s


def broadcast(x, a):
    return np.sum(grad(lambda y: np.sum(y[:, None] * a[None, :] * np.sin(x * y)))(a) ** 2)


def scalar_arrays(x, a):
    def f(y):
        z = np.zeros(3)
        for i in range(3):
            z[i] = y[i] * x if i else y[i] ** 2
        z[0] += z[1] * z[2]
        return z[0] * np.sum(z)

    return np.sum(grad(f)(a) * np.arange(3.0))


def cumulated(x, a):
    return np.sum(grad(lambda y: np.sum(np.cumsum(y * x) ** 3))(a) * a)


def indexed(x, a):
    i = np.array([0, 2, 0])
    return np.sum(grad(lambda y: np.sum(y[i] ** 3 * x) + np.sum(y[y > 0] ** 2))(a) * a)


def added_at(x, a):
    def f(y):
        z = y * x
        np.add.at(z, np.array([0, 0, 1]), y)
        return np.sum(z**3)

    return np.sum(grad(f)(a) * a)


def iterated(x, a):
    w = a
    for _ in range(3):
        v, g = value_and_grad(lambda y: np.sum((y * x - 0.1) ** 2))(w)
        w = w - 0.1 * g * v
    return np.sum(w)


def in_a_branch_in_a_loop(x, a):
    s = x
    for k in range(3):
        if a[k] > 0:
            s = s + grad(lambda t: np.sin(t * s) * a[k])(s)
        else:
            s = s * grad(lambda t: t**2)(s)
    return s


def changed_and_shared(x, a):
    def f(y, z):
        y[0] *= x
        return np.sum(y * z)

    b = a * x
    return np.sum(grad(f, (0, 1))(b, b)[0] * b)


def changes_what_it_reads(x, a):
    b = a * x

    def f(y):
        b[0] = y
        return b[0] * b[1]

    return grad(f)(x) + b[0]


def changes_a_variable_outside(x, a):
    held = [x]

    def f(y):
        held[0] = held[0] * y
        return held[0]

    return grad(f)(x) + held[0]


PROGRAMS = [
    captured_written_between,
    result_written,
    both_written,
    argument_changed_inside,
    zero_iterations,
    by_length,
    until,
    left,
    branches,
    swapped,
    third,
    third_of_a_loop,
    lists_grow,
    of_a_list,
    maxima,
    bound_late,
    broadcast,
    scalar_arrays,
    cumulated,
    indexed,
    added_at,
    iterated,
    in_a_branch_in_a_loop,
]
NOT_YET = [changed_and_shared, changes_what_it_reads, changes_a_variable_outside]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_agrees_with_differences(function):
    points = POINTS[:1] if function is in_a_branch_in_a_loop else POINTS
    assert judge(function, points, ("x", "a")) == Verdict("right")


@pytest.mark.parametrize("function", NOT_YET, ids=lambda f: f.__name__)
def test_is_not_taken_where_others_would_see_what_it_changes(function):
    with core_alone(function), pytest.raises(NotYet):
        grad(function, wrt=("x", "a")).source_for(*POINTS[0])


def test_reads_like_the_sweeps_one_after_the_other():
    with core_alone():
        text = grad(result_written, wrt=("x", "a")).source_for(*POINTS[0])
    assert "grad(" not in text.partition("Forward sweep")[2]
