"""What must not be evaluated again."""

import numpy as np

from tests.language.corpus import program

V4 = np.array([0.7, -1.3, 0.4, 1.1])


class Counter:
    def __init__(self):
        self.k = 1.0

    def step(self):
        self.k = self.k * 2
        return self.k


@program([(V4,)], refusable=True)
def method_changes_attribute(x):
    o = Counter()
    s = x[0] * o.k * x[1]
    o.step()
    return s * s * o.k


@program([(V4,)], refusable=True)
def method_changes_attribute_loop(x):
    o = Counter()
    s = 1.0
    for _ in range(2):
        s = np.sin(s * o.k * x[1])
        o.step()
    return s


class Holder:
    def __init__(self):
        self.b = np.ones(4)

    def step(self):
        self.b[0] = 5.0

    def swap(self):
        self.b = self.b * 2


@program([(V4,)], refusable=True)
def method_changes_array(x):
    o = Holder()
    s = np.sum(o.b * x)
    o.step()
    return s * np.sum(o.b * x)


@program([(V4,)], refusable=True)
def method_swaps_array(x):
    o = Holder()
    s = np.sum(o.b * x)
    o.swap()
    return s * np.sum(o.b * x)


@program(
    [
        (V4, Holder()),
    ],
    wrt=0,
    refusable=True,
)
def method_of_argument(x, o):
    s = np.sum(o.b * x)
    o.step()
    return s * np.sum(o.b * x)


@program(
    [
        (V4, Counter()),
    ],
    wrt=0,
    refusable=True,
)
def attribute_of_argument(x, o):
    s = x[0] * o.k * x[1]
    o.step()
    o.k += 1
    return s * s * o.k


@program(
    [
        (V4, [1.0, 2.0]),
    ],
    wrt=0,
)
def list_argument(x, q):
    s = x[0] * q[0] * x[1]
    q[0] = 7.0
    q.append(3.0)
    return s * s * q[0] * q[-1]


@program(
    [
        (V4, {"a": 1.0}),
    ],
    wrt=0,
    refusable=True,
)
def dict_argument(x, q):
    s = x[0] * q["a"] * x[1]
    q["a"] = 7.0
    return s * s * q["a"]


@program([(V4,)])
def iterator_object(x):
    it = iter([1.0, 2.0, 3.0])
    s = x[0] * next(it)
    s = s * s * next(it)
    return s * next(it) * x[1]


@program([(V4,)])
def iterator_loop(x):
    it = iter([1.0, 2.0, 3.0, 4.0])
    s = 1.0
    for v in x:
        s = np.sin(s * v * next(it))
    return s


@program([(V4,)])
def rng_loop(x):
    g = np.random.default_rng(0)
    s = 1.0
    for v in x:
        s = np.sin(s * v * g.random()) + s * g.normal()
        if g.random() > 0.5:
            s = s * s
        w = g.choice(4)
        s = s + x[w] * x[int(g.random() * 4)]
    return s


@program([(V4,)])
def rng_index(x):
    g = np.random.default_rng(0)
    w = g.integers(4)
    y = x[w] * x[w]
    p = g.permutation(4)
    return y * np.sum(x[p] * x) + np.sum(x[g.permutation(4)] * x)


@program([(V4,)])
def rng_mask(x):
    g = np.random.default_rng(0)
    b = x * x
    b[g.random(4) > 0.4] = 0.0
    b[g.random(4) > 0.4] *= x[0]
    c = np.where(g.random(4) > 0.5, b, x)
    return np.sum(b * c * x)


@program([(V4,)])
def rng_ifexp(x):
    g = np.random.default_rng(0)
    a = x[0] * x[1] if g.random() > 0.5 else x[2]
    b = (x * x)[: g.integers(2, 4)]
    c = x[g.integers(0, 2) :]
    return a * np.sum(b * b) * np.sum(c * c)


@program([(V4,)])
def pop_in_args(x):
    q = [0.0, 1.0, 2.0]
    y = np.sum(x ** q.pop())
    z = np.roll(x, int(q.pop()))
    return y * np.sum(z * x) * len(q)


@program([(V4,)])
def dict_pop_index(x):
    q = {"a": 1}
    y = x[q.pop("a")]
    return y * y * len(q) + y * x[q.setdefault("b", 2)] * x[q.setdefault("b", 3)]


@program([(V4,)])
def list_pop_slice(x):
    q = [1, 3]
    y = x[q.pop(0) : q.pop()]
    b = x * x
    b[len(q) : 2] = y * x[1]
    return np.sum(b * b)


@program([(V4,)], refusable=True)
def index_walrus_helper(x):
    k = [0]

    def nxt():
        k[0] += 1
        return k[0]

    y = x[nxt()] * x[nxt()]
    return y * x[k[0]]


@program([(V4,)])
def effect_in_axis(x):
    k = [0]

    def nxt():
        k[0] += 1
        return k[0] - 1

    m = np.outer(x, x) * np.arange(1, 5)
    return np.sum(np.sum(m, axis=nxt()) * x) * np.sum(np.sum(m, axis=nxt()) * x)


@program([(V4,)])
def effect_in_attribute_args(x):
    m = np.outer(x, x) * np.arange(1, 5)
    q = [1, 0]
    return np.sum(m.sum(axis=q.pop()) * x) * np.sum(m.sum(axis=q.pop()) * x**2)
