"""Tangents, Jacobians and products with Hessians that are called inside (offers.py)."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from autodiff import grad, hessian, hvp, jacfwd, jacobian, jvp, value_and_grad, vjp
from autodiff.core.notyet import NotYet
from tests.core.judge import Verdict, core_alone, judge, programs

A = np.array([0.5, 0.3, -0.6])
POINTS = [(0.7, A), (-1.2, A[::-1] * 1.5)]
SCALES = np.array([1.0, 2.0, 3.0])


class Layer:
    def __init__(self, w):
        self.w = w

    def loss(self, y, gain=2.0):
        return np.sum(np.tanh(self.w * y) ** 2) * gain


LAYER = Layer(SCALES)


def energy(y, k):
    return np.sum(k * y**3) + np.sum(y) ** 2


def waves(y):
    return np.sin(y) * np.sum(y)


def tangent_of_a_function(x, a):
    value, dot = jvp(energy, (a * x, x), (a, x * x))
    return value * dot


def tangent_that_is_given(x, a):
    w = a * x
    value, dot = jvp(lambda y: (1.0 * y)[1:], (a,), (w,))
    w *= 2.0
    dot *= w[1:]
    return np.sum(value * dot * w[1:])


def tangent_along_one_of_two(x, a):
    return jvp(energy, (a, x), (a * x, None))[1] * jvp(energy, (a, x), (None, x))[1]


def tangent_of_a_closure(x, a):
    def f(y):
        return np.sum(np.sin(y) * a * x)

    return jvp(f, (a**2,), (a * x,))[1]


def closure_that_sees_later(x, a):
    k = x

    def f(y):
        return np.sum(k * y**2)

    k = k * x
    return jvp(f, (a,), (a,))[1] * np.sum(hvp(f)(a, a))


def jacobian_that_sees_later(x, a):
    k = x
    g = jacobian(lambda y: k * y**2)
    k = k * x + 1.0
    return np.sum(g(a) ** 2)


def tangent_of_an_object_made_inside(x, a):
    own = Layer(a * x)
    return jvp(own.loss, (a,), (a * x,))[1] + np.sum(hvp(LAYER.loss)(a, a * x))


def tangent_of_a_partial(x, a):
    return jvp(functools.partial(energy, a * x), (x,), (x * x,))[1]


def tangent_in_a_loop(x, a):
    s = x
    for k in range(3):
        s = s + jvp(lambda y: np.sin(y * a[k]), (s,), (x,))[1]
    return s


def tangent_on_one_path(x, a):
    if x > 0.0:
        dot = jvp(waves, (a,), (a * x,))[1]
    else:
        dot = hessian(lambda y: energy(y, x))(a) @ a
    return np.sum(dot * a)


def tangent_while_memory_changes(x, a):
    w = a * x
    value, dot = jvp(waves, (w,), (w,))
    w[0] = 2.0
    value[1] = x
    dot[2] = x * x
    return np.sum(value * dot * w)


def rows_of_a_jacobian(x, a):
    table = jacobian(waves)(a * x)
    return np.sum(table[0] * table[:, 1]) + np.sum(jacfwd(waves)(a) * table)


def product_with_a_hessian(x, a):
    return np.sum(hvp(lambda y: energy(y * x, x))(a, a * x) * a)


def product_by_two_arguments(x, a):
    b, c = hvp(energy, wrt=(0, 1))(a, x, (a * x, x))
    return np.sum(b * a) * c


def gradient_of_a_list(x, a):
    def total(rows, k):
        s = a * x
        for row in rows:
            s = np.tanh(row * s) + k
        return np.sum(s)

    value, slopes = value_and_grad(total)([a, a * x], x)
    return value * np.sum(slopes[0] * slopes[1])


def list_that_is_read(x, a):
    ws = [x, x * a[0], a[1]]
    b = [a, a * x]

    def f(y):
        s = 0.0
        for w in ws:
            s = s + w * np.sum(y**2)
        for row in b:
            s = s + np.sum(row * y)
        return s

    return np.sum(grad(f)(a) ** 2) + len(ws)


def list_read_and_changed_afterwards(x, a):
    ws = [x, x * x]

    def f(y):
        s = 0.0
        for w in ws:
            s = s + w * np.sum(y**2)
        return s

    g = grad(f)(a)
    ws[0] = 3.0
    ws.append(x)
    return np.sum(g * grad(f)(a))


def seed_of_a_shape_that_fits(x, a):
    value, pullback = vjp(lambda y: y * x, a)
    return np.sum(pullback(np.ones(3))[0] * value)


PROGRAMS = programs(globals())


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_agrees_with_differences(function):
    assert judge(function, POINTS, ("x", "a")) == Verdict("right")


def test_a_seed_of_another_shape():
    def f(x, a):
        value, pullback = vjp(lambda y: y * x, a)
        return np.sum(pullback(np.ones(2))[0])

    with pytest.raises(ValueError, match="shape"):
        grad(f, wrt="a")(0.7, A)
    with pytest.raises(ValueError, match="shape"):
        grad(f)(0.7, A)


def changes_a_list(x, a):
    ws = [x, x * x]

    def g(y):
        ws[0] = ws[0] * y
        s = 0.0
        for w in ws:
            s = s + w * y
        return s

    return grad(g)(x) + ws[0]


def changes_an_array_in_a_list(x, a):
    rows = [a * x, a]

    def g(y):
        s = 0.0
        for row in rows:
            row[0] += y
            s = s + np.sum(row) * y
        return s

    return grad(g)(x) + np.sum(rows[0])


def tangent_of_what_changes_an_array(x, a):
    w = a * x

    def g(y):
        w[0] += 1.0
        return np.sum(w * y)

    return jvp(g, (a,), (a,))[1] * np.sum(w)


def tangent_of_what_counts(x, a):
    calls = []

    def g(y):
        calls.append(x)
        return np.sum(y**2)

    return np.sum(hvp(g)(a, a)) * len(calls)


class Counter:
    def __init__(self, n):
        self.n = n

    def count(self, y):
        self.n = self.n + 1.0
        return np.sum(y) * self.n


def tangent_of_a_method_that_counts(x, a):
    counter = Counter(x)
    return jvp(counter.count, (a,), (a,))[1] * counter.n


@pytest.mark.parametrize(
    "function",
    [
        *(changes_a_list, changes_an_array_in_a_list, tangent_of_what_changes_an_array),
        *(tangent_of_what_counts, tangent_of_a_method_that_counts),
    ],
)
def test_what_changes_variables_outside(function):
    with core_alone(function), pytest.raises(NotYet):
        grad(function)(0.7, A)
