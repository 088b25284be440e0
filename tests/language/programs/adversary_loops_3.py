"""Loops, handlers and iterations over what changes."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


@program([(V4,)])
def unpack_rows_inactive(x):
    m = np.ones((4, 4))
    a, b, *c = m
    s = np.sum(c[0] * x)
    m[2] = 5
    s = s * np.sum(c[0] * x)
    c[1][0] = 3
    return s * np.sum(m @ x)


@program([(V4,)], refusable=True)
def dict_of_rows_inactive(x):
    m = np.ones((4, 4))
    d = {i: r for i, r in enumerate(m)}
    s = np.sum(d[0] * x)
    m[0] = 5
    s = s * np.sum(d[0] * x)
    d[1][0] = 3
    return s * np.sum(m @ x)


@program([(V4,)], refusable=True)
def zip_star(x):
    m = np.ones((4, 4))
    a, b, c, d = zip(*m)
    e, f, g, h = map(np.sum, m)
    m[0] = 3
    p = np.array(list(zip(m[0], m[1])))
    m[1] = 4
    return np.sum(x * np.array(a)) * np.sum(p.T @ p @ x[:2]) * e


@program([(V4,)], refusable=True)
def nonlocal_array(x):
    b = np.ones(4)

    def h():
        nonlocal b
        b = b * 2

    s = np.sum(b * x)
    h()
    return s * np.sum(b * x)


@program([(V4,)], refusable=True)
def nonlocal_counter(x):
    k = 0

    def h():
        nonlocal k
        k += 1
        return k

    return x[h()] * x[h()]


@program([(V4,)])
def enumerate_start_from_memory(x):
    k = np.array([1])
    s = 0.0
    for i, v in enumerate(x, k[0]):
        s = s * v + i
        k[0] = 5
    for i in range(k[0], k[0] + 3, k[0] - 4):
        s = s * x[i - 5]
        k[0] = 7
    return s


@program([(V4,)])
def zip_ranges(x):
    k = [2, 3]
    s = 0.0
    for i, j in zip(range(k[0]), range(k[1])):
        k[0] = 1
        s = s * x[i] + x[j]
    return s
