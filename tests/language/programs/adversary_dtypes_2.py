"""Layouts, dtypes, `out=` and methods that work in place."""

import operator

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


@program([(V4,)], refusable=True)
def out_where(x):
    b = x.copy()
    np.multiply(b, b, out=b, where=b > 0)
    return np.sum(b * b)


@program([(V4,)])
def out_where_inactive(x):
    b = np.ones(4)
    s = np.sum(x * b)
    np.multiply(b, 3.0, out=b, where=[True, False, True, True])
    np.add.accumulate(b, out=b)
    t = np.sum(x * b)
    np.cumsum(b, out=b)
    return s * t * np.sum(x * b)


@program([(V4,)], refusable=True)
def out_active(x):
    b = x.copy()
    np.add(b, x, out=b)
    np.exp(b, b)
    np.cumsum(b, out=b)
    np.add.accumulate(b, out=b)
    np.dot(np.outer(x, x), b, out=b) if False else None
    np.clip(b, 0.5, 4.0, out=b)
    c = np.multiply(b, x, out=b)
    c[0] = 3 * b[1]
    return np.sum(b * c)


@program([(V4,)])
def out_slices(x):
    b = x.copy()
    np.add(b[1:], x[:-1], out=b[1:])
    np.multiply(b[:-1], b[1:], b[:-1])
    return np.sum(b * b)


@program([(M,)])
def matmul_out(x):
    b = x.copy()
    c = np.empty((2, 2))
    np.matmul(b, x, out=c)
    np.dot(c, x, out=b)
    c[0] = b[1] * c[0]
    return np.sum(b * c)


@program([(V4,)])
def sort_inplace(x):
    b = x * x
    b.sort()
    b[0] *= b[1]
    return np.sum(b * x)


@program([(V4,)], refusable=True)
def explicit_set(x):
    b = x * x
    b.__setitem__(0, b[1] * b[2])
    operator.setitem(b, 1, b[2] * 3)
    b = operator.iadd(b, x)
    b.itemset if False else None
    return np.sum(b * x * b)


@program([(V4,)])
def explicit_set_inactive(x):
    b = np.ones(4)
    s = np.sum(x * b)
    b.__setitem__(0, 3.0)
    s *= np.sum(x * b)
    operator.setitem(b, 1, 4.0)
    s *= np.sum(x * b)
    operator.iadd(b, 1.0)
    s *= np.sum(x * b)
    operator.imul(b, 2.0)
    return s * np.sum(x * b)


@program([(V4,)], refusable=True)
def shape_set(x):
    b = x * x
    b.shape = (2, 2)
    b[0, 1] = b[1, 0] * x[0]
    return np.sum(b @ b)


@program([(V4,)], refusable=True)
def shape_set_inactive(x):
    b = np.ones(4)
    s = np.sum(x * b)
    c = b
    b.shape = (2, 2)
    b[0, 1] = 3
    return s * np.sum(x * c.reshape(-1))


@program([(V4,)], refusable=True)
def resize_(x):
    b = np.ones(4)
    s = np.sum(x * b)
    b.resize((2,), refcheck=False)
    return s * np.sum(x[:2] * b)


@program([(V4,)], refusable=True)
def inplace_methods(x):
    b = np.arange(4.0) + 1
    s = np.sum(x * b)
    b[::-1].sort()
    s *= np.sum(x * b)
    b.partition(2)
    s *= np.sum(x * b)
    b.byteswap(inplace=True)
    b.byteswap(True)
    b.flat[0] = 9
    s *= np.sum(x * b)
    b.view(np.float64)[1] = 4
    s *= np.sum(x * b)
    b.T[2] = 8
    s *= np.sum(x * b)
    memoryview(b)[3] = 2.0
    s *= np.sum(x * b)
    b.data[0] = 3.0
    return s * np.sum(x * b)


@program([(V4,)])
def shuffle_inplace(x):
    g = np.random.default_rng(0)
    b = np.arange(4.0) + 1
    s = np.sum(x * b)
    g.shuffle(b)
    s *= np.sum(x * b)
    g.random(out=b)
    s *= np.sum(x * b)
    g.standard_normal(4, out=b)
    return s * np.sum(x * b)


@program([(V4,)], refusable=True)
def nditer_(x):
    b = np.arange(4.0) + 1
    s = np.sum(x * b)
    for v in np.nditer(b, op_flags=["readwrite"]):
        v[...] = 2 * v
    return s * np.sum(x * b)


@program([(V4,)])
def del_(x):
    l = [np.ones(4), np.ones(4) * 2]
    b = l[0]
    s = np.sum(x * b)
    b[0] = 5
    del l[0]
    l[0][1] = 7
    return s * np.sum(x * b * l[0])
