"""Views of every sort, written to while the array is in use."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


M34 = np.arange(12.0).reshape(3, 4) / 7 - 0.5


@program([(M34,)])
def rows_for(x):
    y = x * 1.0
    s = 0.0
    for r in y:
        r[0] = r[1] * r[2]
        r *= r
        s += np.sum(r) * s + np.sum(r)
    return np.sum(y**3) + s


@program([(M34,)])
def rows_zip(x):
    y = x * 1.0
    for r, q in zip(y, y[::-1]):
        r[0] = r[1] * q[2]
        q *= r
    return np.sum(y**3)


@program([(M34,)])
def rows_enumerate_prev(x):
    y = x * 1.0
    prev = y[0]
    for i, r in enumerate(y):
        r += prev * prev * 0.1
        prev = r
    return np.sum(y**3)


@program([(V4,)])
def zip_scalars_changing(x):
    y = x * 1.0
    s = 0.0
    for i, (a, b) in enumerate(zip(y, y[1:])):
        y[i + 1] = a * b
        s += a * b * y[i + 1]
    return s + np.sum(y)


@program([(V4,)])
def enumerate_changing(x):
    y = x * 1.0
    s = 0.0
    for i, a in enumerate(y):
        if i < 3:
            y[i + 1] = a * y[i + 1]
        s += a * a
    return s


@program([(V4,)])
def reversed_changing(x):
    y = x * 1.0
    s = 0.0
    i = 3
    for a in reversed(y):
        if i > 0:
            y[i - 1] = a * y[i - 1]
        s += a * a
        i -= 1
    return s


@program([(V4,)], refusable=True)
def genexp_changing(x):
    y = x * 1.0
    g = (v * v for v in y)
    y[0] = 3 * y[1]
    return sum(g) + np.sum(y)


@program([(V4,)], refusable=True)
def map_changing(x):
    y = x * 1.0
    g = map(lambda v: v * v, y)
    y[0] = 3 * y[1]
    return sum(g) + np.sum(y)


@program([(V4,)])
def list_of_scalars_then_store(x):
    y = x * 1.0
    l = [v for v in y]
    t = (y[0], y[1])
    d = {"a": y[2]}
    y[:] = y * y
    return l[0] * t[1] * d["a"] * np.sum(y * y)


@program([(V4,)], refusable=True)
def list_of_views_then_store(x):
    y = x * 1.0
    t = (y[:2], y[1:])
    d = {"a": y[2:]}
    y[:] = y * y
    return np.sum(t[0] * t[1][:2]) * np.sum(d["a"] ** 2) * np.sum(y * y)


@program([(V4,)], refusable=True)
def list_of_views_store_through(x):
    y = x * 1.0
    t = [y[:2], y[2:]]
    t[0][0] = t[1][0] * t[1][1]
    t[1] *= t[0]
    return np.sum(y**3)
