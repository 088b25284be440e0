"""Stores of every form, and buffers that are used again."""

import numpy as np
from numpy import __version__ as VERSION

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


def bump(b, k=1.0):
    b *= 2.0
    b[0] += k
    return b


@program([(V4,)])
def expr_order_ident(x):
    b = x.copy()
    y = b * bump(b)
    return np.sum(y)


@program([(V4,)])
def expr_order_slice(x):
    b = x.copy()
    y = b[1] * bump(b)[1] + b[1]
    z = b[0] + bump(b, 2.0)[0] * b[0]
    return np.sum(y * z)


@program([(V4,)])
def tuple_order(x):
    b = x.copy()
    t = (b[0], bump(b)[0], b[0], b.sum(), bump(b)[1:].sum())
    return t[0] * t[1] * t[2] * t[3] * t[4]


@program([(V4,)])
def aug_rhs_mutates(x):
    b = x.copy()
    b[0] += bump(b)[0] * b[1]
    b += bump(b)
    b *= bump(b, 3.0) * 0.1
    return np.sum(b * b)


@program([(V4,)])
def store_rhs_mutates_index(x):
    b = x.copy()
    p = [0]

    def nxt():
        p[0] += 1
        return p[0]

    b[nxt()] = b[nxt()] * 2 * b[0]
    return np.sum(b * b)


@program([(V4,)], refusable=True)
def chained(x):
    a = x.copy()
    b = x * x
    a[0] = b[0] = a[1] * b[1]
    a[1], b[1] = b[2], a[2]
    a[1], a[2] = a[2], a[1]
    i = 0
    a[i], i = a[i] * 3, 1
    a[i] = a[i - 1] = a[i + 1] * a[i]
    i = a[i] = 2
    a[0], *r = a
    r[0] = 7.0 * a[0]
    return np.sum(a * b) * r[1] + r[0] * np.sum(a * a) * i


@program([(V4,)])
def starred_target(x):
    a = x.copy()
    a[0], *a[1:3], q = a[3], a[2] * a[0], a[1] * 2, a[0]
    return np.sum(a * a) * q


@program([(V4,)])
def tuple_i_then_index(x):
    a = x.copy()
    i = 0
    i, a[i] = 2, a[i] * a[3]
    a[i], a[i - 1] = a[i - 1] * a[i], a[i]
    return np.sum(a**3)


@program([(V4,)])
def walrus_index(x):
    a = x.copy()
    k = 0
    a[(k := k + 1)] = a[k] * a[(k := k + 1)]
    a[(m := 1) :] *= a[m]  # noqa: F821
    return np.sum(a**3) * k


@program([(V4,)])
def swap_rows(x):
    a = np.outer(x, x) + np.diag(x)
    a[0], a[1] = a[1], a[0]
    a[[2, 3]] = a[[3, 2]]
    a[:, 0], a[:, 1] = a[:, 1].copy(), a[:, 0].copy()
    return np.sum(a[0] * a[1] * a[2] * x) + np.sum(a[:, 0] ** 2)


@program([(V4,)])
def overlapping(x):
    a = x.copy()
    a[1:] = a[:-1]
    a[:-1] += a[1:]
    a[::-1] *= a
    a[:] = a[::-1]
    a[1:] -= a[:-1] ** 2
    return np.sum(a**3 * x)


@program([(V4,)])
def mask_of_itself(x):
    y = x * x
    mask = x > 0.5
    y[mask] = np.sin(x[mask])
    mask[mask] = False
    part = x > 0.9
    y[part] = y[part] * x[part]
    part[part] = False
    y[part] = 0.0
    return np.sum(y * x)


if VERSION >= "2.4":  # before, it reads an index that it changes

    @program([(V4,)])
    def indices_of_themselves(x):
        i = np.array([1, 2, 0, 3])
        y = x[i] * x
        i[i] = i[::-1]
        y = y * x[i]
        window = i[1:]
        i[window] = 2
        y = y + x[i] ** 2
        i[i[2]] = i[1]
        return np.sum(y * x[i])
