"""Callables that are handed on, generators and iterators, outputs by position, random numbers."""

import numpy as np

from tests.language.corpus import program

V4 = np.array([0.7, -1.3, 0.4, 1.1])


@program([(V4,)])
def method_var(x):
    b = np.ones(4)
    f = b.fill
    s = np.sum(x * b)
    f(3.0)
    return s * np.sum(x * b)


@program([(V4,)])
def method_map(x):
    b = np.ones(4)
    s = np.sum(x * b)
    list(map(b.fill, [3.0]))
    return s * np.sum(x * b)


@program([(V4,)])
def method_list(x):
    b = np.ones(4)
    fs = [b.fill]
    s = np.sum(x * b)
    fs[0](3.0)
    return s * np.sum(x * b)


@program([(V4,)])
def method_dict(x):
    b = np.ones(4)
    c = np.ones(4)
    fs = {"a": b.fill, "b": c.fill}
    s = np.sum(x * b)
    fs["a"](3.0)
    return s * np.sum(x * b)


@program([(V4,)])
def local_in_list(x):
    b = np.ones(4)

    def h(v):
        b[0] = v

    fs = [h]
    s = np.sum(x * b)
    fs[0](3.0)
    for g in fs:
        g(4.0)
    return s * np.sum(x * b)


@program([(V4,)])
def local_in_dict(x):
    b = np.ones(4)

    def h(v):
        b[0] = v

    fs = {"k": h}
    s = np.sum(x * b)
    fs["k"](3.0)
    return s * np.sum(x * b)


@program([(V4,)])
def sort_key_method(x):
    b = np.ones(4)
    s = np.sum(x * b)
    sorted([1.0, 2.0], key=b.fill and (lambda v: b.fill(v) or v))
    return s * np.sum(x * b)


@program([(V4,)])
def vectorize_var(x):
    b = np.ones(4)

    def h(v):
        b[0] += v
        return v

    g = np.vectorize(h)
    s = np.sum(x * b)
    g(np.arange(3.0))
    return s * np.sum(x * b)


def apply(f, v):
    return f(v)


@program([(V4,)])
def user_apply(x):
    b = np.ones(4)

    def h(v):
        b[0] += v
        return v

    s = np.sum(x * b)
    apply(h, 2.0)
    k = apply(b.sum, 0)
    apply(b.fill, 7.0)
    return s * np.sum(x * b) * k


@program([(V4,)])
def wrapped(x):
    b = np.ones(4)

    def deco(f):
        def inner(v):
            b[0] += 1
            return f(v)

        return inner

    @deco
    def h(v):
        return v * 2

    s = np.sum(x * b)
    k = h(2.0)
    return s * np.sum(x * b) * k


@program([(V4,)], refusable=True)
def nonlocal_counter(x):
    n = 0.0

    def tick():
        nonlocal n
        n += 1
        return n

    s = 1.0
    for i in range(3):
        s = s * x[i] * tick() * n
    return s


@program([(V4,)])
def default_memory(x):
    def h(v, acc=np.ones(4)):
        acc[0] += v
        return acc

    s = np.sum(x * h(1.0))
    return s * np.sum(x * h(2.0))


@program([(V4,)])
def frompyfunc(x):
    b = np.ones(4)

    def h(v):
        b[0] += v
        return v

    s = np.sum(x * b)
    np.frompyfunc(h, 1, 1)(np.arange(3.0))
    return s * np.sum(x * b)


@program([(V4,)])
def reduce_out(x):
    b = np.ones(4)
    s = np.sum(x * b)
    np.add.reduce(np.ones((3, 4)), 0, None, b)
    s = s * np.sum(x * b)
    np.add.accumulate(np.ones(4), 0, None, b)
    s = s * np.sum(x * b)
    np.cumsum(np.ones(4), 0, None, b)
    s = s * np.sum(x * b)
    np.clip(np.ones(4), 0, 0.5, b)
    s = s * np.sum(x * b)
    np.take(np.ones(4) * 3, [0, 1, 2, 3], 0, b)
    return s * np.sum(x * b)


@program([(V4,)])
def divmod_out(x):
    b = np.ones(4)
    c = np.ones(4)
    s = np.sum(x * b) + np.sum(x * c)
    np.divmod(np.full(4, 7.0), 2.0, b, c)
    s = s * (np.sum(x * b) + np.sum(x * c))
    np.frexp(np.full(4, 7.0), b)
    s = s * (np.sum(x * b) + np.sum(x * c))
    np.modf(np.full(4, 7.5), out=(b, None))
    s = s * (np.sum(x * b) + np.sum(x * c))
    np.modf(np.full(4, 7.5), None, c)
    return s * (np.sum(x * b) + np.sum(x * c))


@program([(V4,)])
def star_unknown(x):
    b = np.ones(4)
    args = [np.ones(4)]
    args.append(np.full(4, 3.0))
    args.append(b)
    s = np.sum(x * b)
    np.multiply(*args)
    return s * np.sum(x * b)


@program([(V4,)])
def star_kw(x):
    b = np.ones(4)
    opts = dict(out=b)
    s = np.sum(x * b)
    np.multiply(3.0, b, **opts)
    return s * np.sum(x * b)


@program([(V4,)])
def star_kw2(x):
    b = np.ones(4)
    opts = {}
    opts["out"] = b
    s = np.sum(x * b)
    np.multiply(3.0, b, **opts)
    return s * np.sum(x * b)


@program([(V4,)], refusable=True)
def star_active(x):
    b = x * 1.0
    s = np.sum(x * b)
    np.multiply(*(x, x, b))
    return s * np.sum(x * b)


@program([(V4,)], refusable=True)
def modf_active(x):
    b = x * 1.0
    s = np.sum(x * b)
    np.modf(x, b)
    return s * np.sum(x * b)
