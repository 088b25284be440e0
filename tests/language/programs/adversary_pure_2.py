"""Calls with effects that look pure, special methods, memory of outer scopes."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


class Obj:
    def __init__(self):
        self.b = np.ones(4)

    def __getitem__(self, i):
        self.b[0] += 1
        return self.b

    def __add__(self, o):
        self.b[1] += 1
        return o

    def __len__(self):
        self.b[2] += 1
        return 3

    def __call__(self):
        self.b[3] += 1
        return self.b

    @property
    def p(self):
        self.b[0] *= 2
        return self.b

    def __iter__(self):
        self.b[0] += 5
        return iter([1.0, 2.0])

    def __contains__(self, v):
        self.b[0] += 7
        return True

    def __enter__(self):
        self.b[0] += 11
        return self

    def __exit__(self, *a):
        self.b[0] += 13

    def __bool__(self):
        self.b[0] += 17
        return True


@program([(V4,)], refusable=True)
def special_prop(x):
    o = Obj()
    b = o.b
    s = np.sum(x * b)
    q = o.p
    return s * np.sum(x * b)


@program([(V4,)], refusable=True)
def special_contains(x):
    o = Obj()
    b = o.b
    s = np.sum(x * b)
    q = 2 in o
    return s * np.sum(x * b) * (1.0 + q)


@program([(V4,)], refusable=True)
def special_with(x):
    o = Obj()
    b = o.b
    s = np.sum(x * b)
    with o:
        s = s * np.sum(x * b)
    return s * np.sum(x * b)


@program([(V4,)], refusable=True)
def special_bool(x):
    o = Obj()
    b = o.b
    s = np.sum(x * b)
    if o:
        s = s * 2.0
    return s * np.sum(x * b)


BUF = np.ones(4)


def reader(x):
    return np.sum(x * BUF)


@program([(V4,)], refusable=True)
def global_in_helper(x):
    BUF[:] = 1.0
    s = reader(x)
    BUF[:] = 3.0
    s *= reader(x)
    BUF[1] = 2.0
    return s * reader(x)


class State:
    buf = np.ones(4)


@program([(V4,)], refusable=True)
def class_attr(x):
    State.buf[:] = 1.0
    s = np.sum(x * State.buf)
    State.buf[0] = 4.0
    return s * np.sum(x * State.buf)


@program([(V4,)], refusable=True)
def global_alias(x):
    t = BUF
    t[:] = 1.0
    s = np.sum(x * BUF)
    t[0] = 4.0
    return s * np.sum(x * t) * np.sum(x * BUF)


def make():
    cell = np.ones(4)

    def setc(k):
        cell[:] = k

    def use(x):
        return np.sum(x * cell)

    return setc, use


SETC, USE = make()


@program([(V4,)], refusable=True)
def outer_cell(x):
    SETC(1.0)
    s = USE(x)
    SETC(2.5)
    return s * USE(x)
