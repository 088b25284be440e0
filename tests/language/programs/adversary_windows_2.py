"""Views whose index or array changes later; results that are views."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


@program([(V4,)])
def return_view(x):
    a = x * x
    b = a[1:]
    b[0] = a[0] * x[3]
    return b


@program([(V4,)])
def return_many(x):
    a = x * x
    b = a[1:]
    c = a.copy()
    b[0] = a[0] * x[3]
    c[:] = b[0]
    return a, b, (c, a[0]), [b[::-1], a]


@program([(V4,)], refusable=True)
def return_same_twice(x):
    a = x * x
    r = (a, a)
    a[0] = x[1]
    return r


@program([(V4,)])
def return_arg_view(x):
    x[0] = x[1] * x[2]
    return x[1:], x


@program([(V4,)])
def return_const_and_view(x):
    b = np.ones(4)
    y = x * b
    b[0] = 3
    return y * b, b[0] * x


@program([(V4,)], refusable=True)
def dict_return(x):
    a = x * x
    d = {"a": a, "b": a[::2]}
    a[0] = x[1]
    return d


@program([(V4,)])
def perm_chain(x):
    p = np.arange(4)
    a = x * x
    s = 0.0
    for i in range(4):
        p[[i, i - 1]] = p[[i - 1, i]]
        a = a[p]
        a[p[0]] *= x[p[1]]
        p = p[::-1]
        p[0] = p[0]
        s = s + a[p[:2]].sum() * a[p[-1]]
    return s


@program([(V4,)])
def int_in_place_pow(x):
    k = np.array([1, 2, 3, 0])
    y = x**k
    k += 1
    z = np.abs(x) ** k
    k[0] = 0
    w = np.take(x, k[:2] - 1)
    k[:] = 1
    u = np.repeat(x, k)
    k[1] = 3
    return np.sum(y * z) + np.sum(w) + np.sum(u * u) + np.sum(np.repeat(x * x, k))


@program([(V4,)], refusable=True)
def shape_from_mutated(x):
    k = np.array([2, 2])
    y = (x * x).reshape(k)
    k[:] = [4, 1]
    z = (x * x).reshape(tuple(k))
    k[0] = 0
    k[1] = 1
    u = np.sum(y * y, axis=int(k[0]))
    w = np.roll(x, k[1])
    k[1] = 0
    v = np.moveaxis(y, k[0], 1)
    k[0] = 1
    return np.sum(z**2) + np.sum(u * u) + np.sum(v @ y) + np.sum(w * x * x)


@program([(V4,)])
def aux_args_mutated(x):
    sh = [2, 2]
    ax = [0]
    y = (x * x).reshape(sh)
    sh[0] = 4
    sh[1] = 1
    z = (x**3).reshape(sh)
    w = np.transpose(y, [1, 0])
    sh.append(1)
    return np.sum(z) * np.sum(w * y) * np.sum(np.tile(x, sh[1:]))
