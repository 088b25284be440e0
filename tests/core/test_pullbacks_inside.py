"""Pullbacks that are called inside, and gradients of each element (derivatives.py)."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import elementwise_grad, grad, vjp
from tests.core.judge import Verdict, judge, programs

A = np.array([0.5, 0.3, -0.6])
POINTS = [(0.7, A), (-1.2, A[::-1] * 1.5)]


class Layer:
    def __init__(self, w):
        self.w = w

    def loss(self, y):
        return np.sum(self.w * y**3)

    slope = grad(loss, wrt="y")


LAYER = Layer(np.array([1.0, 2.0, 3.0]))


def pulled_back_while_results_change(x, a):
    def f(y, z):
        return x * y * np.sin(z)

    w = a * x
    value, pullback = vjp(f, w, a)
    value[1] = x
    b, c = pullback(value * x)
    b[0] = 3.0
    w[0] = 2.0
    return np.sum(b * c * value) + np.sum(w)


def pulled_back_several_times(x, a):
    v, pullback = vjp(lambda y: np.sin(y * x) * y, a)
    return np.sum(pullback(v)[0] * pullback(a)[0])


def pulled_back_row_by_row(x, a):
    v, pullback = vjp(lambda y: np.sin(y * x) * y[::-1], a)
    s = 0.0
    for k in range(3):
        seed = np.zeros(3)
        seed[k] = a[k]
        s = s + np.sum(pullback(seed)[0] ** 2) * v[k]
    return s


def pulled_back_on_both_paths(x, a):
    v, pullback = vjp(potential, x, a)
    if x > 0:
        b, c = pullback(2.0)
    else:
        b, c = pullback(a[0] * v)
    d, e = pullback(b)
    return np.sum(c * e) + d


def potential(y, z):
    return y * np.sum(z**3)


def pulled_back_of_a_loop(x, a):
    def f(y):
        u = y * x
        for k in range(3):
            u[1:] = u[1:] * u[:-1] + u[1:]
        return u

    v, pullback = vjp(f, a)
    return np.sum(pullback(v)[0] * a)


def pulled_back_in_each_iteration(x, a):
    s = x
    for v in a:
        t, pullback = vjp(lambda y, z: np.sin(y) * z, s, v)
        p, q = pullback(t * x)
        s = s + p * q
    return s


def pulled_back_by_a_helper(x, a):
    def twice(f, y):
        v, pullback = vjp(f, y)
        return pullback(v)[0]

    return np.sum(twice(lambda y: y * np.sum(y) * x, a)) * np.sum(
        twice(lambda y: np.sin(y) * a, a * x)
    )


def one_seed_for_a_number(x, a):
    v, pullback = vjp(lambda y, z: np.sum(y**2) * z, a, x)
    b, c = pullback(v)
    return np.sum(b * a) * c


def called_again_while_what_is_read_stays(x, a):
    u = a * x
    rows = np.zeros((3, 3))
    v, pullback = vjp(lambda y: np.cumsum(y * u) * x, a)
    for i in range(3):
        seed = np.zeros(3)
        seed[i] = 1.0
        (rows[i],) = pullback(seed)
    rows[0] *= u
    (b,) = pullback(rows[0] * v)
    b *= rows[1]
    u[0] = b[1]
    return np.sum(rows @ b) * np.sum(u)


def of_each_element(x, a):
    g = elementwise_grad(lambda y: y**3 * np.cos(x * y))
    return np.sum(g(a) ** 2) + g(x)


def of_each_element_of_one_argument(x, a):
    return np.sum(elementwise_grad(lambda y, z: y * z**2, wrt=1)(x, a) ** 3)


def of_one_of_two(x, a):
    f = (lambda y: np.sum(x * y**2)) if x > 0 else (lambda y: np.sum(y**3))
    g = grad(f)(a)
    return np.sum(g * a)


def that_are_methods(x, a):
    own = Layer(a * x)
    return np.sum(LAYER.slope(a * x) ** 2) + np.sum(own.slope(a))


PROGRAMS = programs(globals())


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_agrees_with_differences(function):
    assert judge(function, POINTS, ("x", "a")) == Verdict("right")


W = np.array([0.4, 1.1, 0.8])


def that_reads_memory_of_outside(x, a):
    v, pullback = vjp(lambda y: y**2 * W * x, a)
    return np.sum(pullback(v)[0] * pullback(a)[0])


def that_reads_a_variable_that_is_assigned_again(x, a):
    v, pullback = vjp(lambda y: y**2 * x, a)
    b = pullback(v)[0]
    x = 3.0 * x
    return np.sum(b * pullback(a)[0])


def that_reads_memory_around_that_changes(x, a):
    u = a * x
    v, pullback = vjp(lambda y: y**2 * u, a)
    u[1:] += v[:-1]
    return np.sum(pullback(v)[0])


def that_reads_memory_that_changes(x, a):
    u = a * x
    view = u[1:]
    v, pullback = vjp(lambda y: y**2 * u, a)
    b = pullback(v)[0]
    view[0] = 3.0
    return np.sum(b * pullback(b)[0])


def that_reads_memory_that_changes_in_the_next_iteration(x, a):
    u, s = a * x, 0.0
    v, pullback = vjp(lambda y: y**2 * u, a)
    for k in range(3):
        s = s + np.sum(pullback(v)[0])
        u[k] *= 2.0
    return s


def of_memory_that_changes(x, a):
    y = a * x
    v, pullback = vjp(lambda z: z**3, y)
    y[0] = 5.0
    return np.sum(pullback(v)[0])


def of_memory_that_changes_in_the_next_iteration(x, a):
    y = a * x
    v, pullback = vjp(lambda z: z**3, y)
    s = 0.0
    for k in range(3):
        s = s + np.sum(pullback(v)[0])
        y[k] = s
    return s


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (that_reads_memory_of_outside, "of what reads what is outside"),
        (that_reads_a_variable_that_is_assigned_again, "of what reads what changes"),
        (that_reads_memory_around_that_changes, "memory that changes before a pullback reads it"),
        (that_reads_memory_that_changes, "memory that changes before a pullback reads it"),
        (that_reads_memory_that_changes_in_the_next_iteration, "memory that changes before"),
        (of_memory_that_changes, "memory that changes before a pullback reads it"),
        (of_memory_that_changes_in_the_next_iteration, "memory that changes before"),
    ],
)
def test_a_pullback_that_may_read_something_else(function, why):
    verdict = judge(function, POINTS, ("x", "a"))
    assert verdict.what == "not yet" and why in verdict.why
