"""Parameters that get another value where they are None, a number or a tuple."""

import copy

import numpy as np

from tests.language.corpus import program
from tests.language.data import V3


def stored(x, out=None):
    if out is None:
        out = np.zeros(3)
    out[0] = x[0] ** 2
    return np.sum(out) + x[1]


def applied(f, x, args=()):
    if not isinstance(args, tuple):
        args = (args,)
    return f(x, *args)


def up_to(x, n=None):
    if not n:
        n = len(x)
    return np.sum(x[:n] ** 2)


def filled(x, table=None):
    table = table or {}
    table["a"] = x[0]
    return table["a"] * 2


def scaled(x, n, c=None):
    if n is None:
        n = 3
    if c is None:
        c = x[0]
    r = x * 2
    r = r * n
    r = r + c
    return r


def in_a_loop(x, c=None, d=None):
    y = x
    for _ in range(2):
        if c is None:
            c = x[0]
        y = y * c
    if d is None:
        d = c
    else:
        d = d * 2
    while d > 5:
        d = d * 0.5
    return y * d


def weighted(x, w=None, flag=True):
    if w is None and flag:
        w = np.ones(3)
    elif w is None:
        w = np.zeros(3)
    if flag:
        w = w * x
    w += x
    return w


def captured(x, c=None):
    f = lambda v: v * c  # noqa: E731
    if c is None:
        c = x[0]
    return f(x)


def step(x, total=None):
    if total is None:
        total = x * 2
    else:
        total = total * x
    return total


def smoothed(states, covariances, gains=None):
    if len(states) != len(covariances):
        raise ValueError("as many of each")
    n = states.shape[0]
    if gains is None:
        gains = np.zeros((n, 2, 2))
    x, p = states.copy(), covariances.copy()
    for k in range(n - 2, -1, -1):
        gains[k] = p[k] * 0.5
        x[k] += gains[k] @ x[k + 1]
        p[k] += gains[k] @ p[k + 1] @ gains[k].T
    return x, p, gains


class Filter:
    def __init__(self):
        self.z = None
        self.gain = None
        self.p = np.eye(2)

    def update(self, z, slope, args=()):
        if not isinstance(args, tuple):
            args = (args,)
        self.z = copy.deepcopy(z)
        self.p = self.p * slope(z, *args)
        return np.sum(self.z)

    def more(self, x):
        k = self.gain
        if k is None:
            k = x * 2
        self.gain = k * x

    def kept(self, gain=None):
        if gain is None:
            gain = self.gain
        if gain is None:
            gain = np.ones(3)
        return gain


@program([(V3,)])
def a_buffer(x):
    return stored(x) + stored(x * 2, out=np.ones(3))


@program([(V3,)])
def arguments_of_a_callback(x):
    none = applied(lambda v: np.sum(v**2), x)
    one = applied(lambda v, k: np.sum(v**2) * k, x, 3.0)
    several = applied(lambda v, k: np.sum(v**2) * k, x, (3.0,))
    return none + one + several + applied(lambda v, k: np.sum(v**2) * k, x, x[0])


@program([(V3,)])
def a_number_of_items(x):
    return up_to(x) + up_to(x, 2)


@program([(V3,)])
def a_dict(x):
    return filled(x)


@program([(V3,)])
def the_result_has_the_name_of_an_argument(x):
    n = x[0] * 1.0
    n = scaled(x, n)
    n = scaled(x, n, x[1])
    return np.sum(n)


@program([(V3,)])
def decided_in_loops_only(x):
    return np.sum(in_a_loop(x)) + np.sum(in_a_loop(x, x[1], x[2]))


@program([(V3,)])
def changed_in_place_afterwards(x):
    a = x * 2
    b = weighted(x, a)
    return np.sum(weighted(x)) + np.sum(weighted(x, flag=False)) + np.sum(a * b)


@program([(V3,)])
def read_by_a_lambda(x):
    return np.sum(captured(x))


@program([(V3,)])
def none_at_first(x):
    total = None
    for _ in range(3):
        total = step(x, total)
    return np.sum(total)


@program([(V3,)])
def a_smoother(x):
    states = np.ones((4, 2)) * x[0]
    covariances = np.ones((4, 2, 2)) * x[1]
    mean, spread, gains = smoothed(states, covariances)
    return np.sum(mean**2) + np.sum(spread) + np.sum(gains)


@program([(V3,)])
def a_filter(x):
    own = Filter()
    s = 0.0
    for i in range(3):
        s += own.update(x[i : i + 1], lambda v: v[0])
    s += own.update(x[0], lambda v, k: v * k, 2.0)
    return s + np.sum(own.p)


@program([(V3,)])
def a_part_that_is_none_at_first(x):
    own = Filter()
    for _ in range(3):
        own.more(x)
    return np.sum(own.kept()) + np.sum(own.kept(x))


@program([(V3,)])
def a_deep_copy(x):
    y = copy.deepcopy(x)
    y[0] = 3 * x[1]
    return np.sum(y**2) + copy.copy(x)[2] * copy.deepcopy(x[0])


def secant(f, x0, x1=None, low=None, high=None, args=(), bisection=False, maxiter=50):
    if x1 is not None:
        p1 = x1
    else:
        p1 = x0 * 1.01 + 1e-2
    if low is not None and p1 < low:
        p1 = low
    if high is not None and p1 > high:
        p1 = high
    p0 = x0
    q0, q1 = f(p0, *args), f(p1, *args)
    if bisection:
        a, b = None, None
        if q1 < 0.0:
            a = p1
        else:
            b = p1
    p = p1
    for _ in range(maxiter):
        if q1 == q0:
            break
        p = p1 - q1 * (p1 - p0) / (q1 - q0)
        if bisection:
            if a is not None and b is not None and not min(a, b) < p < max(a, b):
                p = 0.5 * (a + b)
        if low is not None and p < low:
            p = low
        if high is not None and p > high:
            p = high
        if abs(p - p1) < 1e-10:
            return p
        p0, p1, q0, q1 = p1, p, q1, f(p, *args)
    return p


@program([(V3,)])
def flags_that_a_call_leaves_out(x):
    def f(v, k):
        return v**3 + v - k

    a = secant(f, 1.0, args=(1.5 + x[0],))
    b = secant(f, 1.0, low=0.5, high=9.0, args=(2.0 + x[1],))
    return a * b + secant(lambda v: v**2 - 5.0 - x[2], 2.0)


def centred(x, mean=None):
    if mean is not None:
        flat = np.asarray(mean).flatten()
    else:
        flat = None
    y = np.asarray(x).flatten()
    return np.sum(y**2) if flat is None else np.sum((y - flat) ** 3)


@program([(V3,)])
def none_or_an_array(x):
    return centred(x) + centred(x, x * x)


class Tracker:
    def __init__(self):
        self.x = np.array([1.0, 0.3])
        self.r = 0.5

    def update(self, z, slope, args=(), r=None):
        if z is None:
            return
        if not isinstance(args, tuple):
            args = (args,)
        if r is None:
            r = self.r
        if np.isscalar(z):
            z = np.asarray([z], float)
        gain = slope(self.x, *args)
        self.x = self.x + gain * (z - self.x[:1]) / r


@program([(V3,)])
def after_an_early_return(x):
    own = Tracker()
    own.r = x[1] ** 2 + 1.0
    for z in (0.5, 1.5):
        own.update(np.array([z]), lambda v: 0.1 * v * x[0])
        own.update(np.array([z]) * x[2], lambda v, k: v * k, 0.2, r=2.0)
    return np.sum(own.x**2)
