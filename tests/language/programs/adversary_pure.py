"""Calls with effects that look pure, special methods, memory of outer scopes."""

import functools

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])
V4 = np.array([0.7, -1.3, 0.4, 1.1])
M = np.array([[0.3, 1.2], [-0.7, 0.9]])


@program([(V4,)])
def median_overwrite(x):
    b = np.array([3.0, 1, 2, 0.5])
    s = np.sum(x * b)
    m = np.median(b, overwrite_input=True)
    return s * np.sum(x * b) * m


@program([(V4,)])
def percentile_overwrite(x):
    b = np.array([3.0, 1, 2, 0.5])
    s = np.sum(x * b)
    m = np.percentile(b, 20, overwrite_input=True)
    m += np.nanmedian(b, overwrite_input=True) + np.quantile(b, 0.3, overwrite_input=True)
    return s * np.sum(x * b) * m


@program([(V4,)], refusable=True)
def median_overwrite_active(x):
    b = x * x
    m = np.median(b, overwrite_input=True)
    return np.sum(x * b) * m


@program([(V4,)], refusable=True)
def vectorize_mut(x):
    b = np.ones(4)
    c = np.zeros(1)

    def h(v):
        b[0] += v
        return v

    s = np.sum(x * b)
    np.vectorize(h)(np.arange(3.0))
    s *= np.sum(x * b)
    np.apply_along_axis(lambda r: r.fill(2.0), 0, b)
    s *= np.sum(x * b)
    list(map(h, [1.0, 2.0]))
    s *= np.sum(x * b)
    sorted([1.0, 2.0], key=h)
    s *= np.sum(x * b)
    functools.reduce(lambda p, q: h(q), [1.0, 2.0], 0.0)
    s *= np.sum(x * b)
    any(h(q) > 5 for q in (1.0, 2.0))
    s *= np.sum(x * b)
    [h(q) for q in (1.0, 2.0)]
    s *= np.sum(x * b)
    {h(q) for q in (1.0, 2.0)}
    return s * np.sum(x * b)


@program([(V4,)])
def apply_along(x):
    b = np.ones(4)
    s = np.sum(x * b)
    np.apply_along_axis(lambda r: r.fill(2.0), 0, b)
    return s * np.sum(x * b)


@program([(V4,)])
def map_helper(x):
    b = np.ones(4)

    def h(v):
        b[0] += v
        return v

    s = np.sum(x * b)
    list(map(h, [1.0, 2.0]))
    return s * np.sum(x * b)


@program([(V4,)])
def sorted_key(x):
    b = np.ones(4)

    def h(v):
        b[0] += v
        return v

    s = np.sum(x * b)
    sorted([1.0, 2.0], key=h)
    return s * np.sum(x * b)


@program([(V4,)])
def reduce_helper(x):
    b = np.ones(4)

    def h(p, v):
        b[0] += v
        return v

    s = np.sum(x * b)
    functools.reduce(h, [1.0, 2.0], 0.0)
    return s * np.sum(x * b)


@program([(V4,)])
def any_helper(x):
    b = np.ones(4)

    def h(v):
        b[0] += v
        return v

    s = np.sum(x * b)
    any(h(q) > 5 for q in (1.0, 2.0))
    return s * np.sum(x * b)


@program([(V4,)], refusable=True)
def set_helper(x):
    b = np.ones(4)

    def h(v):
        b[0] += v
        return v

    s = np.sum(x * b)
    {h(q) for q in (1.0, 2.0)}
    return s * np.sum(x * b)


@program([(V4,)], refusable=True)
def helper_in_test(x):
    b = np.ones(4)

    def h(v):
        b[0] += v
        return b[0]

    s = np.sum(x * b)
    if h(1.0) > 1.5:
        s *= np.sum(x * b)
    while h(0.5) < 4.0:
        s += np.sum(x * b)
    assert h(1.0) > 0
    y = s * s if h(2.0) > 0 else s
    return y * np.sum(x * b)


@program([(V4,)])
def helper_in_index(x):
    b = np.ones(4)

    def h(v):
        b[0] += v
        return int(b[0]) % 4

    s = np.sum(x * b)
    s *= x[h(1.0)]
    s *= np.sum(x * b)
    for i in range(h(1.0)):
        s = s * np.sum(x * b)
    return s * np.sum(x * b)


@program([(V4,)])
def print_side(x):
    b = np.ones(4)
    s = np.sum(x * b)
    str(b.fill(3.0))
    s *= np.sum(x * b)
    f"{b.sort()} {b.__setitem__(0, 9.0)}"
    return s * np.sum(x * b)


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
def special_getitem(x):
    o = Obj()
    b = o.b
    s = np.sum(x * b)
    o[0]
    return s * np.sum(x * b)


@program([(V4,)], refusable=True)
def special_add(x):
    o = Obj()
    b = o.b
    s = np.sum(x * b)
    o + 3.0
    q = o + 2.0
    return s * np.sum(x * b) * q


@program([(V4,)], refusable=True)
def special_len(x):
    o = Obj()
    b = o.b
    s = np.sum(x * b)
    n = len(o)
    return s * np.sum(x * b) * n


@program([(V4,)], refusable=True)
def special_call(x):
    o = Obj()
    b = o.b
    s = np.sum(x * b)
    o()
    return s * np.sum(x * b)
