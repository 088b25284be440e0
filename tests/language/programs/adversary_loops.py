"""Loops, handlers and iterations over what changes."""

import contextlib

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


@program([(V4,)])
def fresh_each_iteration(x):
    s = 1.0
    prev = x
    for i in range(3):
        w = x * (i + 1.0) * prev
        s = s + np.sum(w * w) * s
        w[0] = 3.0
        s = s * np.sum(w**2) * 0.1
        prev = w
        w[1:] = prev[:-1]
        s = s + np.sum(prev * w)
    return s


@program([(V4,)])
def fresh_inactive_each_iteration(x):
    s = 1.0
    prev = np.ones(4)
    for i in range(3):
        w = np.arange(4.0) * (i + 1.0) + prev
        s = s + np.sum(w * x) * s
        w[0] = 3.0
        prev[1] = s * 0 + i if False else i
        s = s * np.sum(w**2 * x) * 0.1
        prev = w
        w[1:] += prev[:-1]
        s = s + np.sum(np.sin(prev * x) * w)
        if i == 1:
            prev = np.zeros(4)
    return s


@program([(V4 * 1e-3,)], analytic=True)
def scalar_of_inactive_memory(x):
    n = np.array([1.0, 2.0])
    s = 1.0
    for i in range(3):
        k = n[0] + 1.0
        m = k * n[1]
        f = n[0] > 1.5
        n[0] = m
        g = n[0] > 5
        t = -n[1]
        n[1] -= 0.5
        if f:
            s = s * x[0] * k
        if g:
            s = s * m * x[1] + t * s * s
        s = s + np.sin(s * k * x[2]) * m * t
    return s


@program([(V4 * 0.1,)], analytic=True)
def scalar_of_list_memory(x):
    n = [1.0, 2.0]
    s = 1.0
    for i in range(3):
        k = n[0] + 1.0
        q = n[1]
        f = n[0] > 1.5
        n[0] = k * q
        n[1] -= 0.5
        if f:
            s = s * x[0] * k
        s = s + np.sin(s * k * x[2]) * q
    return s


class Q:
    def __init__(self):
        self.k = 1.0
        self.n = 3

    def step(self):
        self.k = self.k * 2
        return self.k


@program([(V4 * 0.1,)], analytic=True, refusable=True)
def scalar_of_attributes(x):
    o = Q()
    s = 1.0
    for i in range(3):
        k = o.k + 1.0
        q = o.k
        f = o.k > 1.5
        o.k = k * q
        if f:
            s = s * x[0] * k
        s = s + np.sin(s * k * x[2]) * q * o.k
    return s


@program([(V4 * 0.1,)], analytic=True, refusable=True)
def scalar_of_method(x):
    o = Q()
    s = 1.0
    for i in range(3):
        s = s + np.sin(s * o.k * x[2]) * o.step() * o.k
    return s * o.k


@program([(V4,)], refusable=True)
def method_loop_bound(x):
    o = Q()
    s = 1.0
    for i in range(int(o.step())):
        s = s * x[i] + o.k
        o.n -= 1
        for j in range(o.n):
            s = s * x[j] * o.k
    return s


@program([(V4,)], refusable=True)
def helper_early_return(x):
    def h(b, k):
        b[0] = b[0] * b[k]
        if b[0] > 0:
            return b[k]
        b[k] = 3 * b[0]
        for i in range(4):
            b[i] *= 1.1
            if b[i] > 1:
                return b[i] * b[0]
        return b[0]

    a = x.copy()
    c = np.ones(4)
    s = 0.0
    for k in range(4):
        s = s * 0.5 + h(a, k) * h(a[::-1], k) * np.sum(x * c)
        s = s + h(c, k)
    return s * np.sum(a * c)


@program([(V4,)], refusable=True)
def nested_try(x):
    c = np.ones(4)
    s = 0.0
    for i in range(5):
        try:
            c[i] += i
            s = s + np.sum(x * c) * x[i]
        except IndexError:
            c[0] = 5.0
            s = s * np.sum(x * c)
        finally:
            c *= 1.5
            s = s + np.sum(np.sin(x * c))
    return s


@program([(V4,)], refusable=True)
def try_partial(x):
    c = np.ones(4)
    s = np.sum(x * c)
    try:
        c[0] = 7.0
        c[9] = 3.0
        c[1] = 8.0
    except IndexError:
        s = s * np.sum(x * c)
    return s * np.sum(x * c)


@program([(V4,)], refusable=True)
def try_partial_multi(x):
    c = np.ones(4)
    s = np.sum(x * c)
    try:
        c[0], c[1], c[9] = 4.0, 5.0, 6.0
    except IndexError:
        pass
    return s * np.sum(x * c)


@program([(V4,)], refusable=True)
def partial_store_shape_error(x):
    c = np.ones(4)
    s = np.sum(x * c)
    try:
        c[:2] = 6.0
        c[:] = [1.0, 2.0]
    except ValueError:
        c[3] = 9
    return s * np.sum(x * c)


@program([(V4,)], refusable=True)
def suppress_store(x):
    c = np.ones(4)
    s = np.sum(x * c)
    with contextlib.suppress(IndexError):
        c[0] = 7.0
        c[9] = 3.0
    return s * np.sum(x * c)


@contextlib.contextmanager
def doubling(c):
    c *= 2
    yield c
    c *= 3


@program([(V4,)], refusable=True)
def with_manager_mutates(x):
    c = np.ones(4)
    s = np.sum(x * c)
    with doubling(c) as q:
        s = s * np.sum(x * q)
        q[0] = 9
        s = s * np.sum(x * c)
    return s * np.sum(x * c)
