"""Bounds and indices that are evaluated from what changes; memory of nobody's own."""

import contextlib
import functools

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


@program([(V4,), (-V4,)], refusable=True)
def tryexcept(x):
    b = x.copy()
    try:
        b[0] = b[1] * b[2]
        if x[0] < 0:
            raise ValueError
        b[1] = b[0] * b[1]
    except ValueError:
        b[2] = b[0] * 3
    else:
        b[3] = b[0] * b[1]
    return np.sum(b * b)


@program([(V4,), (-V4,)], refusable=True)
def tryexcept_loop(x):
    b = x.copy()
    for i in range(4):
        try:
            b[i] = b[i] * b[i - 1]
            if x[i] < 0:
                raise ValueError
            b[i - 1] += b[i]
        except ValueError:
            b[i] = 3 * b[i - 2]
    return np.sum(b * b)


@program([(V4,), (-V4,)])
def trybreak_inactive(x):
    b = np.ones(4)
    s = 0.0
    for i in range(4):
        try:
            b[i] = b[i] * 2
            if x[i] < 0:
                continue
            b[i - 1] += b[i]
            if i == 2:
                break
        finally:
            s = s + np.sum(x * b) ** 2
    return s


@program([(V4,), (-V4,)])
def early_return(x):
    b = x.copy()
    b[0] = b[1] * b[2]
    if b[0] > 0:
        b[1] = b[0] ** 2
        return np.sum(b * b)
    for i in range(4):
        b[i] = b[i] * b[i - 1]
        if i == 2:
            b[0] = 5 * b[2] * b[3]
            return b[0] * np.sum(b)
    return 0.0


@program([(V4,)], refusable=True)
def errstate(x):
    b = x.copy()
    with np.errstate(all="ignore"):
        b[0] = b[1] * b[2]
        b[1:] *= b[:-1]
    with contextlib.suppress(ValueError):
        b[0] *= b[1]
    return np.sum(b**3)


class Acc:
    def __init__(self, n):
        self.buf = np.zeros(n)
        self.k = 0

    def add(self, v):
        self.buf[self.k] = v
        self.k += 1
        return self

    def scale(self, c):
        self.buf *= c
        return self.buf


@program([(V4,)], refusable=True)
def self_buffer(x):
    a = Acc(4)
    a.add(x[0]).add(x[1] * x[0])
    a.add(x[2])
    s = np.sum(a.buf)
    a.scale(x[3])
    return s * np.sum(a.buf**2)


@program([(V4,)], refusable=True)
def self_buffer_inactive(x):
    a = Acc(4)
    s = 1.0
    for i in range(4):
        a.add(2.0 + i)
        s = s + np.sum(x * x * a.buf) * s
    return s


def default_mut(v, buf=np.zeros(4)):
    buf[:] = 0
    buf[0] = v
    buf[1] = v * v
    return buf


@program([(V4,)], refusable=True)
def default_mutable(x):
    a = default_mut(x[0])
    s = np.sum(a)
    b = default_mut(x[1])
    return s * np.sum(a * b)


def default_mut2(v, buf=np.zeros(4)):
    buf[:] = 2.0 * v
    return buf


@program([(V4,)], refusable=True)
def default_mutable_inactive(x):
    a = default_mut2(3)
    s = np.sum(a * x)
    b = default_mut2(5)
    return s * np.sum(a * b * x * x)


G = np.ones(4)


def setg(k):
    G[:] = k


@program([(V4,)], refusable=True)
def global_buffer(x):
    setg(1.0)
    s = np.sum(G * x) ** 2
    setg(3.0)
    return s * np.sum(G * x)


@program([(V4,)], refusable=True)
def global_buffer_direct(x):
    G[:] = 1.0
    s = np.sum(G * x) ** 2
    G[:] = 3.0
    G[0] = 2
    t = np.sum(G * x) ** 2
    G[:] = 1.0
    return s * t


@program([(V4,)], refusable=True)
def global_buffer_active(x):
    G[:] = x * x
    s = np.sum(G * x) ** 2
    G[0] = x[1]
    t = np.sum(G * x) ** 2
    return s * t


def rec(b, k):
    if k == 0:
        return b[0] * b[1]
    b[k] = b[k] * b[k - 1]
    return rec(b, k - 1) * b[k] + b[k - 1]


@program([(V4,)], refusable=True)
def recursive_mutation(x):
    b = x.copy()
    return rec(b, 3) + np.sum(b * b)


def rec2(x, b, k):
    if k == 0:
        return np.sum(x * b)
    b[:] = k
    s = np.sum(np.sin(x * b))
    return s * rec2(x, b, k - 1) + np.sum(x * b)


@program([(V4,)], refusable=True)
def recursive_inactive(x):
    b = np.ones(4)
    return rec2(x, b, 3) + np.sum(b * x * x)


@program([(V4,)])
def partial_mut(x):
    b = x.copy()
    f = functools.partial(bump, b)
    f(2.0)
    f(k=3.0)
    (lambda q: bump(q, 4.0))(b[1:])
    return np.sum(b**2)


def bump(b, k=1.0):
    b *= b
    b[0] += k * b[1]
    return b


@program([(V4,)])
def partial_mut_inactive(x):
    b = np.ones(4) * 2
    f = functools.partial(bump, b)
    s = np.sum(x * b)
    f(2.0)
    s = s * np.sum(x * b)
    f(k=3.0)
    h = lambda: bump(b)
    s = s * np.sum(x * b)
    h()
    s = s * np.sum(x * b)
    return s
