"""Defaults, closures, copies and containers of arrays that change."""

import functools

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


@program([(V4,)])
def def_default(x):
    b = x.copy()

    def f(v=b[0]):
        return v * b[0]

    b[0] = 3 * b[1]
    return f() + f(2.0)


@program([(V4,)])
def def_default_scalar(x):
    a = x[0]

    def f(v=a):
        return v * v

    a = x[1]
    g = lambda w=a: w**3
    a = 2.0
    return f() + g() + a


@program([(V4,)])
def def_default_loop(x):
    fs = []
    s = 0.0
    for i in range(3):

        def f(v=x[i], k=i):
            return v * v * (k + 1)

        fs.append(f)
        s += f() * s + f()
    return s


@program([(V4,)])
def partial_late(x):
    a = x[0]
    f = functools.partial(lambda p, q: p * q, a)
    a = x[1]
    return f(a) + f(2.0) * a


@program([(V4,)])
def partial_store(x):
    b = x.copy()
    f = functools.partial(lambda p, q: p * q, b[0])
    h = functools.partial(lambda p, q: np.sum(p * q), b)
    b[0] = x[1] * x[2]
    return f(b[1]) + f(2.0) * h(b[0])


@program([(V4,)], refusable=True)
def bound_method_late(x):
    b = x.copy()
    f = b.sum
    g = b.dot
    b[0] = x[1] * x[2]
    b = b * 2
    return f() + g(b)


@program([(V4,)])
def closure_over_view(x):
    b = x.copy()
    v = b[1:]

    def h():
        return np.sum(v * v)

    b[1] = x[0] * x[1]
    s = h()
    v = v * 2
    return s * h() + np.sum(b)


@program([(V4,)])
def listcomp_store(x):
    b = x.copy()
    r = [b[i] * b[i + 1] for i in range(3)]
    b[:3] = r
    b[1:] = [v * v for v in r]
    b[0], b[1] = [b[1] * 2, b[0]]
    b[:2], b[2:] = b[2:], b[:2].copy()
    return np.sum(b * x)


@program([(V4,)])
def swap_slices_overlap(x):
    b = x.copy()
    b[:2], b[2:] = b[2:], b[:2]
    c = np.outer(x, x) + np.diag(x)
    c[0], c[1] = c[1], c[0]
    c[0:2], c[2:4] = c[2:4], c[0:2]
    return np.sum(b**2 * x) + np.sum(c**2 * x)


@program([(V4,)])
def swap_views_named(x):
    b = x.copy()
    p, q = b[:2], b[2:]
    p[:], q[:] = q, p
    p, q = q, p
    p[0] = q[1] * 3
    q[:] = p * q
    return np.sum(b**2 * x)


@program([(V4,)], refusable=True)
def list_assign_from_self(x):
    b = x.copy()
    b[:] = [b[3], b[2] * b[1], b[0], b[0] * 2]
    b[:] = (b[1], b[0], *b[2:])
    b[[0, 1]] = b[1], b[0]
    return np.sum(b**2 * x)


@program([(V4,)])
def aug_tuple_value(x):
    b = x.copy()
    b[:2] += (x[0] * x[1], 3.0)
    b += [x[0], 1.0, x[2], x[3]]
    b *= (1.0, 2.0, 3.0, 4.0)
    b[1:3] *= [x[0], x[1]]
    return np.sum(b**2)


@program([(V4,)])
def ops_inplace(x):
    b = np.abs(x) + 1
    b **= x
    b //= 0.3
    b += x
    b %= 0.7
    c = np.outer(x, x)
    c @= np.outer(b, x)
    c[0] /= x
    c[1] **= 2
    return np.sum(c) + np.sum(b * x)


@program([(V4,)])
def self_stores(x):
    b = x.copy()
    b[0] = b[0]
    b[:] = b
    b[1:] = b[1:] * b[1:]
    b[:] = b[::-1]
    b[:] += b
    b -= b * b
    b *= b
    b[...] = b.T
    b[1:] = b[:-1]
    b[::2] = b[1::2]
    b[b.argmax()] = b[b.argmin()] ** 2
    return np.sum(b * x)


@program([(V4,)])
def loop_carried_view_conditional(x):
    b = x.copy()
    c = x * 2
    cur = b
    s = 0.0
    for i in range(5):
        cur[i % 4] = cur[(i + 1) % 4] * x[i % 4]
        s = s * 0.3 + np.sum(cur * cur)
        if i % 2:
            cur = b
        else:
            cur = c[::-1]
    return s * np.sum(b * c)


@program([(V4,)])
def loop_fresh_or_alias(x):
    b = x.copy()
    s = 0.0
    for i in range(5):
        w = b if i % 2 else b * x
        w[i % 4] = w[(i + 1) % 4] * x[i % 4]
        s = s * 0.3 + np.sum(w * b)
        b = w if i == 2 else b
    return s * np.sum(b)
