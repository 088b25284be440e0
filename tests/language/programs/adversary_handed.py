"""Callables that are handed on, generators and iterators, outputs by position, random numbers."""

import functools
import itertools
import time

import numpy as np

from tests.language.corpus import program

V4 = np.array([0.7, -1.3, 0.4, 1.1])


class Lcg:
    def __init__(self, seed=1):
        self.s = seed

    def next(self):
        self.s = (self.s * 1103515245 + 12345) % 2147483648
        return self.s / 2147483648


@program([(V4,)])
def lcg_loop(x):
    r = Lcg()
    s = 0.0
    for i in range(5):
        s = s + np.sin(x[i % 4] * r.next())
    return s


@program([(V4,)])
def lcg_prod(x):
    r = Lcg(3)
    s = 1.0
    for i in range(4):
        s = s * x[i] * r.next()
    return s


@program([(V4,)])
def rng_loop(x):
    r = np.random.default_rng(3)
    s = 1.0
    for i in range(4):
        s = s * x[i] * r.normal() + r.uniform()
    return s


class Timer:
    def __enter__(self):
        self.t0 = time.perf_counter()
        return self

    def __exit__(self, *a):
        self.dt = time.perf_counter() - self.t0
        self.calls = getattr(self, "calls", 0) + 1


@program([(V4,)])
def timer(x):
    t = Timer()
    with t:
        s = np.sum(x**2)
    return s * s


@program([(V4,)])
def timer_direct(x):
    with Timer():
        s = np.sum(x**2)
    return s * s


@program([(V4,)])
def timer_as(x):
    with Timer() as t:
        s = np.sum(x**2)
    log = []
    log.append(t.dt)
    return s * s


class Log:
    def __init__(self):
        self.lines = []
        self.n = 0

    def add(self, text):
        self.lines.append(text)
        self.n += 1

    def __len__(self):
        return len(self.lines)

    @property
    def last(self):
        return self.lines[-1]


@program([(V4,)])
def logging_(x):
    log = Log()
    s = 1.0
    for i in range(4):
        s = s * x[i]
        log.add(f"{i}")
    return s * len(log) * log.n


class Schedule:
    def __init__(self, n):
        self.k = 0
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.k >= self.n:
            raise StopIteration
        self.k += 1
        return 0.5**self.k


@program([(V4,)], refusable=True)
def schedule(x):
    s = 1.0
    for rate in Schedule(3):
        s = s - rate * np.sin(s * x[0])
    return s


@program([(V4,)])
def schedule_next(x):
    it = Schedule(3)
    s = 1.0
    s = s - next(it) * np.sin(s * x[0])
    s = s - next(it) * np.sin(s * x[0])
    return s


@program([(V4,)], refusable=True)
def schedule_enum(x):
    s = 1.0
    for i, rate in enumerate(Schedule(3)):
        s = s - rate * np.sin(s * x[i])
    return s


@program([(V4,)])
def count_it(x):
    c = itertools.count(1)
    s = 1.0
    for i in range(3):
        s = s * x[i] * next(c)
    return s


@program([(V4,)], refusable=True)
def gen_pure(x):
    def steps(n):
        h = 1.0
        for _ in range(n):
            h *= 0.5
            yield h

    s = 1.0
    for h in steps(3):
        s = s - h * np.sin(s * x[0])
    return s


@program([(V4,)], refusable=True)
def gen_active(x):
    def items():
        for i in range(3):
            yield x[i] ** 2

    s = 1.0
    for v in items():
        s = s * v
    return s


def geo(n):
    k = 1.0
    while n:
        k *= 2
        n -= 1
        yield k


@program([(V4,)])
def gen_global(x):
    s = 0.0
    for v in geo(3):
        s = s + v * x[1] ** 2
    return s


@program([(V4,)])
def gen_global_list(x):
    ks = list(geo(3))
    return ks[1] * x[0] ** 2 * sum(geo(2))


def filling(b):
    for i in range(3):
        b[i] = i + 2.0
        yield i


@program([(V4,)], refusable=True)
def gen_fills_arg(x):
    b = np.ones(4)
    s = 1.0
    for i in filling(b):
        s = s * np.sum(x * b)
    return s


@program([(V4,)], refusable=True)
def gen_reads(x):
    b = np.ones(4)

    def g():
        for i in range(3):
            yield b[i]

    s = 1.0
    for v in g():
        b[:] = b * 2
        s = s * v * x[0]
    return s


@program([(V4,)], refusable=True)
def gen_reads_var(x):
    k = 1.0

    def g():
        for i in range(3):
            yield k

    s = 1.0
    for v in g():
        k = k + 1.0
        s = s * v * x[0]
    return s


@program([(V4,)])
def genexp_reads(x):
    b = np.ones(4)
    s = 1.0
    for v in (b[i] for i in range(3)):
        b[:] = b * 2
        s = s * v * x[0]
    return s


@program([(V4,)], refusable=True)
def genexp_var(x):
    b = np.ones(4)
    s = 1.0
    g = (b[i] for i in range(3))
    b[1] = 5.0
    for v in g:
        s = s * v * x[0]
    return s


@program([(V4,)])
def genexp_next(x):
    b = np.ones(4)
    g = (b[i] for i in range(3))
    s = x[0] * next(g)
    b[1] = 5.0
    s = s * x[1] * next(g)
    return s


@program([(V4,)], refusable=True)
def gen_next(x):
    b = np.ones(4)

    def gg():
        for i in range(3):
            b[i] += 1
            yield i

    g = gg()
    s = np.sum(x * b)
    next(g)
    s = s * np.sum(x * b)
    next(g)
    return s * np.sum(x * b)


@program([(V4,)], refusable=True)
def map_lazy(x):
    b = np.ones(4)

    def h(i):
        b[i] += 1
        return b[i]

    m = map(h, [0, 1, 2])
    s = np.sum(x * b)
    next(m)
    s = s * np.sum(x * b)
    list(m)
    return s * np.sum(x * b)


@program([(V4,)])
def filter_lazy(x):
    b = np.ones(4)
    s = 1.0
    for i in filter(lambda i: b[i] > 0, [0, 1, 2]):
        b[:] = -1.0
        s = s * x[i]
    return s


@program([(V4,)])
def zip_lazy(x):
    b = np.ones(4)
    s = 1.0
    for u, v in zip(b, x):
        b[:] = b + 1.0
        s = s * u * v
    return s


@program([(V4,)])
def partial_store(x):
    b = np.ones(4)
    f = functools.partial(np.copyto, b)
    s = np.sum(x * b)
    f(np.full(4, 3.0))
    return s * np.sum(x * b)


@program([(V4,)])
def partial_local(x):
    b = np.ones(4)

    def h(k, v):
        b[k] = v

    f = functools.partial(h, 1)
    s = np.sum(x * b)
    f(3.0)
    return s * np.sum(x * b)
