"""Functions that helpers make, in a loop each with its own variables: kept, handed on, called."""

import functools
import heapq

import numpy as np

from tests.language.corpus import program
from tests.language.data import V4


def power(k):
    return lambda v: v**k


def nested_power(k):
    def f(v):
        return v**k

    return f


def raised(k, v):
    return v**k


def partial_power(k):
    t = k * 2
    return functools.partial(raised, t)


def power_after(n, k):
    if n == 0:
        return lambda v: v**k
    return power_after(n - 1, k + 1)


def slope(f, h=1e-3):
    return lambda t: (f(t + h) - f(t - h)) / (2 * h)


def integral(f, a, b, n=4):
    h = (b - a) / n
    return sum(f(a + (i + 0.5) * h) for i in range(n)) * h


def compose(f, g):
    return lambda v: f(g(v))


class Registry:
    def __init__(self):
        self.functions = {}

    def __setitem__(self, key, function):
        self.functions[key] = function

    def __getitem__(self, key):
        return self.functions[key]


@program([(V4,)])
def called_where_it_is_made(x):
    s = 0.0
    for k in (1, 2, 3):
        g = power(k)
        s += g(x[k]) * g(2.0)
    return s


@program([(V4,)])
def handed_to_a_helper(x):
    s = 0.0
    for k in (1, 2, 3):
        s += integral(slope(power(k)), x[k], x[0])
    return s


@program([(V4,)])
def called_in_a_lambda(x):
    s = 0.0
    for k in (1, 2, 3):
        s += integral(lambda t: power(k)(t) * x[k], x[k], x[0])
    return s


@program([(V4,)], refusable=True)
def listed(x):
    fs = [nested_power(k) for k in (1, 2, 3)]
    return sum(f(v) for f, v in zip(fs, x)) + fs[-1](x[3])


@program([(V4,)], refusable=True)
def appended(x):
    fs = []
    for k in range(1, 4):
        fs.append(power(k))
    return fs[0](x[0]) + fs[2](x[3])


@program([(V4,)], refusable=True)
def by_key(x):
    fs = {}
    for k in range(1, 4):
        fs[k] = power(k)
    return fs[1](x[0]) + fs[2](x[3])


@program([(V4,)], refusable=True)
def given_what_carries_a_derivative(x):
    def line(a, b):
        return lambda t: a + b * t

    segments = []
    for k in range(3):
        segments.append((k, line(x[k], x[k + 1])))
    s = 0.0
    for k, segment in segments:
        s += segment(0.5) * k
    return s


@program([(V4,)], refusable=True)
def previous_one(x):
    s = 0.0
    previous = power(1)
    for k in range(1, 4):
        g = power(k)
        s += g(x[k]) + previous(x[0])
        previous = g
    return s


@program([(V4,)], refusable=True)
def default_of_each(x):
    fs = []
    for k in range(1, 4):
        j = k + 0

        def g(v, j=j):
            return v**j

        fs.append(g)
    return fs[0](x[0]) + fs[2](x[3])


@program([(V4,)], refusable=True)
def composed_in_a_loop(x):
    h = np.sin
    for g in (np.cos, np.tanh):
        h = compose(h, g)
    return h(x[0])


@program([(V4,)])
def kept_for_numbers(x):
    fs = [power(k) for k in (1, 2, 3)]
    return np.sum(x) * fs[0](2.0)


@program([(V4,)])
def kept_for_a_choice(x):
    s = 0.0
    for f in [power(k) for k in (1, 2, -1)]:
        i = min(range(4), key=lambda j: f(j - 1.5))
        s += x[i] ** 2 * (i + 1)
    return s


@program([(V4,)], refusable=True)
def kept_on_a_heap(x):
    h = []
    for k in (1, 2, 3):
        heapq.heappush(h, (k, power(k)))
    return x[0] * h[0][1](2.0)


@program([(V4,)])
def kept_in_an_object(x):
    r = Registry()
    for k in (1, 2, 3):
        r[k] = power(k)
    return x[0] * r[1](2.0)


@program([(V4,)])
def kept_in_pairs(x):
    q = None
    for k in (0, 1, 2):
        q = (power(k), q)
    return x[0] * q[1][0](2.0)


@program([(V4,)])
def kept_on_a_condition(x):
    best, least = None, 1e9
    for k in (1, 2, 3):
        f = power(k)
        if abs(f(1.5) - 2.0) < least:
            least, best = abs(f(1.5) - 2.0), f
    return x[0] * best(2.0)


@program([(V4,)])
def partial_made_by_a_helper(x):
    t = 3
    g = partial_power(2)
    return g(x[0]) * t


@program([(V4,)], refusable=True)
def partials_made_in_a_loop(x):
    t = 3
    s = 0.0
    for i in range(3):
        g = partial_power(i)
        s += g(x[i]) * t
    return s


@program([(V4,)], refusable=True)
def made_by_recursion(x):
    k = 7
    g = power_after(2, 1)
    return g(x[0]) * k
