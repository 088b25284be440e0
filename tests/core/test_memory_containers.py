"""Containers that are memory, through Core: nested, shared, replaced, popped, reached by keys."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from autodiff import grad
from tests.core.judge import Verdict, core_alone, judge, programs

V = np.array([0.5, 0.3, -0.6])


class P:
    def __init__(self, x, v):
        self.x, self.v = x, v

    def step(self, dt):
        self.x = self.x + dt * self.v

    def kick(self, f):
        self.v += f

    def moved(self, dt):
        return P(self.x + dt * self.v, self.v)


def rows_of_a_table(x, a):
    t = []
    for i in range(3):
        t.append([x * i, a[i]])
    s = 0.0
    for r in t:
        s += r[0] * r[1]
    return s


def pairs_appended(x, a):
    t = []
    for i in range(3):
        t.append((a[i] * x, i))
    s = 0.0
    for v, k in t:
        s += v**2 * k
    return s


def particles_stepped(x, a):
    ps = [P(a[i], x * i) for i in range(3)]
    for k in range(2):
        for p in ps:
            p.step(0.1)
            p.kick(p.x * 0.3)
    s = 0.0
    for i in range(3):
        s += ps[i].x ** 2 + ps[i].v
    return s


def numbers_by_key(x, a):
    d = {}
    for i in range(3):
        d[i] = a[i] * x
    s = 0.0
    for i in range(3):
        s += d[i] ** 2
        d[i] = s
    return s + d[2] * d[0]


def arrays_replaced(x, a):
    ps = [a * i for i in range(3)]
    for k in range(3):
        ps[k] = ps[(k + 1) % 3] * x
        ps[(k + 2) % 3][1] = x
    return np.sum(ps[0] * ps[1] * ps[2])


def rows_that_grow(x, a):
    t = [[x], [a[0]], [a[1]]]
    for i in range(4):
        t[i % 3].append(t[(i + 1) % 3][0] * x)
    s = 0.0
    for r in t:
        for v in r:
            s += v * v
    return s


def array_of_a_pair_changes(x, a):
    t = []
    for i in range(3):
        t.append((a * i, x))
    for i in range(3):
        u = t[i][0]
        u += x
        u *= a
    return np.sum(t[0][0] * t[2][0]) * t[1][1]


def objects_of_arrays(x, a):
    ps = []
    for i in range(3):
        ps.append(P(a * i, x))
    for i in range(3):
        ps[i].kick(a[i])
        ps[i].x[1:] *= ps[i].v
    return sum(np.sum(p.x) for p in ps)


class Node:
    def __init__(self, w):
        self.w = w
        self.items = []

    def total(self):
        s = self.w
        for v in self.items:
            s = s + v
        return s


def one_object_in_two_lists(x, a):
    ps = [P(x, a[i]) for i in range(3)]
    qs = []
    for i in range(3):
        qs.append(ps[2 - i])
    for i in range(3):
        qs[i].v = qs[i].v * ps[i].x + ps[i].v
    return ps[0].v * ps[1].v + qs[0].v


def row_replaced_while_held(x, a):
    t = [[x, a[0]], [a[1], x]]
    for i in range(3):
        r = t[i % 2]
        t[i % 2] = [r[1] * a[i], x]
        r[0] = r[0] * 3.0
        t[(i + 1) % 2][1] += r[0]
    return t[0][0] * t[1][1] + t[0][1] * t[1][0]


def dict_of_lists(x, a):
    d = {"a": [], "b": [x]}
    for i in range(4):
        k = "a" if i % 2 else "b"
        d[k].append(a[i % 3] * x)
    s = 0.0
    for i in range(2):
        s += d["a"][i] * d["b"][i]
    return s


def dict_keys_run(x, a):
    d = {}
    for i in range(3):
        d[i % 2] = a[i] * x
        d[i + 5] = d[i % 2] ** 2
    return d[0] * d[1] + d[5] + d[6] * d[7]


def never_runs(x, a):
    t = []
    for i in range(0):
        t.append([x, a[i]])
    s = x * x
    for r in t:
        s += r[0]
    return s


def arrays_in_tuples(x, a):
    t = []
    for i in range(3):
        b = a * i
        t.append((b, x * i, b))
    for u, c, w in t:
        u[0] = c
        w[1] *= u[0]
    return np.sum(t[1][0] * t[2][2])


def branch_in_loop(x, a):
    t = [[x], [a[1]]]
    for i in range(3):
        if a[i] > 0:
            t[0].append(a[i] * t[1][0])
        else:
            t[1][0] = t[0][-1] ** 2
    return t[0][-1] + t[1][0] * t[0][1]


def objects_with_lists(x, a):
    ns = [Node(a[i]) for i in range(3)]
    for i in range(3):
        for j in range(i + 1):
            ns[i].items.append(x * a[j])
    s = 0.0
    for n in ns:
        s += n.total() * n.w
    return s


def popped_rows(x, a):
    t = [[x, a[0]], [a[1], x * 2]]
    s = 0.0
    for i in range(2):
        r = t.pop()
        r[0] *= a[i]
        s += r[0] * r[1]
    return s


def matrix_in_lists(x, a):
    m = [[x, a[0], 1.0], [a[1], x, a[2]], [0.3, x, x]]
    for i in range(3):
        for j in range(3):
            if i != j:
                f = m[j][i] / (m[i][i] + 2.0)
                for k in range(3):
                    m[j][k] = m[j][k] - f * m[i][k]
    return m[0][0] * m[1][1] * m[2][2]


def queue(x, a):
    q = [(x, 0)]
    s = 0.0
    while len(q) > 0:
        v, k = q.pop()
        s += v * a[k]
        if k < 2:
            q.append((v * x, k + 1))
            q.append((v * a[0], k + 1))
    return s


def array_shared_by_rows(x, a):
    b = a * x
    t = [[b, b], [b * 2, b]]
    for i in range(2):
        t[i][0][i] = t[i][1][2] * x
        t[i][1][0] += 1.0
    return np.sum(t[0][0] * t[1][0]) + t[1][1][0]


def memo(x, a):
    d = {0: x}
    for i in range(1, 4):
        d[i] = d[i - 1] * a[i - 1] + x
    return d[3] * d[1]


def unrolled_break(x, a):
    s = 0.0
    for k, u in enumerate((a, x, a * x)):
        if k == 2:
            break
        s += np.sum(u) * k
    return s + x


PROGRAMS = programs(globals())


def replaced_by_a_sum(weights, x, steps):
    velocity = [np.zeros_like(w) for w in weights]
    for _ in range(steps):
        for k in range(len(weights)):
            velocity[k] = 0.9 * velocity[k] - 0.1 * weights[k] ** 2
            weights[k] = weights[k] + velocity[k]
    y = x
    for w in weights:
        y = np.tanh(w * y)
    return np.sum(y)


def test_an_array_that_a_sum_replaces_in_a_list_stays_what_it_was():
    weights = [V.copy(), V + 1.0]
    with core_alone():
        grad(replaced_by_a_sum, wrt="x")(weights, V.copy(), 3)
    np.testing.assert_array_equal(weights, [V, V + 1.0])


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_right_in_all_modes(function):
    assert judge(function, [(0.7, V)], ("x", "a")) == Verdict("right")


def summed_whole(x, a):
    terms = []
    for k in range(3):
        terms.append(x * a[k])
    return sum(terms)


@pytest.mark.parametrize("function", [summed_whole, particles_stepped])
def test_saved_text_runs_alone(function, tmp_path):
    """What the text calls is found again: helpers of ours, SimpleNamespace, the class."""
    with core_alone():
        derivative = grad(function, wrt=("x", "a"))
        expected = derivative(0.7, V)
        derivative.save(tmp_path / "saved.py")
    spec = importlib.util.spec_from_file_location("saved", tmp_path / "saved.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = getattr(module, f"{function.__name__}_grad")(0.7, V)
    np.testing.assert_allclose(found[0], expected[0])
    np.testing.assert_allclose(found[1], expected[1])
