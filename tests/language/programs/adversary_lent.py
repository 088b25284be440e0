"""Memory that helpers hand out, keep or change; managers that change memory."""

import functools

import numpy as np

from tests.language.corpus import program

V4 = np.array([0.7, -1.3, 0.4, 1.1])


@program([(V4,)])
def get_captured(x):
    b = np.ones(4)

    def get():
        return b

    c = get()
    s = np.sum(x * c)
    b[0] = 5.0
    return s * np.sum(x * c)


@program([(V4,)])
def get_captured_lambda(x):
    b = np.ones(4)
    get = lambda: b
    c = get()
    s = np.sum(x * c)
    b[0] = 5.0
    return s * np.sum(x * c)


@program([(V4,)])
def get_view(x):
    b = np.ones(4)

    def get(i):
        return b[i:]

    s = np.sum(x[1:] * get(1))
    b[1] = 5.0
    return s * np.sum(x[2:] * get(2)) * np.sum(x * b)


@program([(V4,)])
def get_default(x):
    b = np.ones(4)

    def get(c=b):
        c[0] += 1
        return c

    s = np.sum(x * get())
    return s * np.sum(x * get())


@program([(V4,)])
def get_partial(x):
    b = np.ones(4)
    f = functools.partial(np.reshape, b)
    c = f((2, 2))
    s = np.sum(x[:2] * c)
    b[1] = 5.0
    return s * np.sum(x[:2] * c)


@program([(V4,)])
def get_list(x):
    b = np.ones(4)

    def get():
        return [b, b[1:]]

    l = get()
    s = np.sum(x * l[0])
    l[1][0] = 7.0
    return s * np.sum(x * l[0]) * np.sum(x * b)


@program([(V4,)])
def wrapped2(x):
    b = np.ones(4)

    def deco(f):
        def inner(v):
            b[0] += 1
            return f(v)

        return inner

    h = deco(lambda v: v * 2)
    s = np.sum(x * b)
    k = h(2.0)
    return s * np.sum(x * b) * k


@program([(V4,)])
def returns_function(x):
    b = np.ones(4)

    def make():
        def inc():
            b[1] += 2
            return 3.0

        return inc

    s = np.sum(x * b)
    inc = make()
    k = inc()
    return s * np.sum(x * b) * k


@program([(V4,)], refusable=True)
def cached(x):
    b = np.ones(4)
    calls = []

    @functools.lru_cache
    def h(k):
        calls.append(k)
        b[0] += k
        return 2.0

    s = np.sum(x * b)
    k = h(1) * h(1)
    return s * np.sum(x * b) * k * len(calls)


class K:
    total = np.zeros(4)

    def __init__(self):
        K.total[0] += 1

    @classmethod
    def bump(cls):
        cls.total[1] += 1
        return 2.0

    @staticmethod
    def stat():
        K.total[2] += 1
        return 2.0


@program([(V4,)], refusable=True)
def class_memory(x):
    K.total[:] = 1.0
    s = np.sum(x * K.total)
    K.bump()
    s = s * np.sum(x * K.total)
    K.stat()
    return s * np.sum(x * K.total)


@program([(V4,)], refusable=True)
def class_memory2(x):
    K.total[:] = 1.0
    t = K.total
    s = np.sum(x * t)
    K()
    return s * np.sum(x * t)


TABLE = np.ones(4)


def bump_table():
    TABLE[0] += 1.0
    return 2.0


def read_table():
    return TABLE


@program([(V4,)], refusable=True)
def table_helper(x):
    TABLE[:] = 1.0
    s = np.sum(x * TABLE)
    k = bump_table()
    return s * np.sum(x * TABLE) * k


@program([(V4,)], refusable=True)
def table_helper2(x):
    t = read_table()
    t[:] = 1.0
    s = np.sum(x * t)
    k = bump_table()
    return s * np.sum(x * t) * k


@program([(V4,)], refusable=True)
def table_helper3(x):
    t = read_table()
    TABLE[:] = 1.0
    s = np.sum(x * t)
    TABLE[1] = 3.0
    return s * np.sum(x * t)


class G:
    def __len__(self):
        TABLE[0] += 1
        return 2

    def __getitem__(self, i):
        TABLE[1] += 1
        return 2.0


@program([(V4,)], refusable=True)
def special_global(x):
    TABLE[:] = 1.0
    t = TABLE
    g = G()
    s = np.sum(x * t)
    n = len(g)
    s = s * np.sum(x * t)
    k = g[0]
    return s * np.sum(x * t) * n * k


STATE = {"k": 1.0}


def bump_state():
    STATE["k"] += 1.0
    return STATE["k"]


@program([(V4,)], refusable=True)
def state_dict(x):
    STATE["k"] = 1.0
    s = x[0] * STATE["k"]
    q = bump_state()
    return s * x[1] * STATE["k"] * q


@program([(V4,)], refusable=True)
def state_dict2(x):
    s = 1.0
    STATE["k"] = 1.0
    for i in range(3):
        s = s * x[i] * bump_state()
    STATE["k"] = 1.0
    return s


@program([(V4,)])
def memoryview_(x):
    b = np.ones(4)
    m = memoryview(b)
    s = np.sum(x * b)
    m[0] = 4.0
    return s * np.sum(x * b)


@program([(V4,)])
def frombuffer(x):
    b = np.ones(4)
    c = np.frombuffer(b)
    s = np.sum(x * b)
    b[0] = 4.0
    return s * np.sum(x * b) * np.sum(x * c)


@program([(V4,)])
def lib_stride(x):
    b = np.ones(4)
    c = np.lib.stride_tricks.sliding_window_view(b, 2)
    s = np.sum(x[:2] * c[0])
    b[0] = 4.0
    return s * np.sum(x[:2] * c[0])


@program([(V4,)])
def shuffle(x):
    b = np.arange(4.0)
    r = np.random.default_rng(1)
    s = np.sum(x * b)
    r.shuffle(b)
    return s * np.sum(x * b)


@program([(V4,)])
def rng_out(x):
    b = np.arange(4.0)
    r = np.random.default_rng(1)
    s = np.sum(x * b)
    r.random(out=b)
    return s * np.sum(x * b)


@program([(V4,)], refusable=True)
def setstate(x):
    b = np.arange(4.0)
    s = np.sum(x * b)
    b.__setstate__(np.ones(4).__reduce__()[2])
    return s * np.sum(x * b)


@program([(V4,)], refusable=True)
def data_attr(x):
    b = np.arange(4.0)
    s = np.sum(x * b)
    b.flat = 3.0
    s *= np.sum(x * b)
    b.T[1] = 7.0
    s *= np.sum(x * b)
    b.real[2] = 9.0
    return s * np.sum(x * b)


@program([(V4,)])
def walrus_effect(x):
    b = np.ones(4)
    s = np.sum(x * b)
    if (c := b.fill(2.0)) is None:
        s = s * np.sum(x * b)
    return s


@program([(V4,)])
def dict_get_call(x):
    b = np.ones(4)
    ops = {"a": b.fill, "b": lambda v: b.__setitem__(0, v)}
    s = np.sum(x * b)
    ops.get("b")(9.0)
    s = s * np.sum(x * b)
    for k in ops:
        ops[k](4.0)
    return s * np.sum(x * b)


@program([(V4,)])
def getattr_call(x):
    b = np.ones(4)
    s = np.sum(x * b)
    getattr(b, "fill")(3.0)
    return s * np.sum(x * b)


@program([(V4,)])
def key_unknown(x):
    b = np.ones(4)
    k = b.fill if x[0] > 5 else b.__setitem__
    f = [k][0]
    s = np.sum(x * b)
    list(map(f, [0, 1], [5.0, 6.0]))
    return s * np.sum(x * b)
