"""What generators draw inside of a function is drawn once, in the order of the function."""

from __future__ import annotations

import time

import numpy as np
import pytest

from autodiff import grad
from tests.core.judge import Verdict, core_alone, judge

X = np.array([0.5, 0.7, -1.1, 0.9])
GENERATOR = np.random.default_rng(6)


def draws_in_a_loop(x):
    g = np.random.default_rng(0)
    s = 1.0
    for i in range(4):
        s = np.sin(s * x[i] * g.random()) + s * g.normal()
        if g.random() > 0.5:
            s = s * s
        w = g.choice(4)
        s = s + x[w] * x[int(g.random() * 4)]
    return s


def masks_that_are_drawn(x):
    g = np.random.default_rng(0)
    b = x * x
    b[g.random(4) > 0.4] = 0.0
    b[g.random(4) > 0.4] *= x[0]
    c = np.where(g.random(4) > 0.5, b, x)
    return np.sum(b * c * x)


def orders_that_are_drawn(x):
    g = np.random.default_rng(4)
    y = x * x
    p = g.permutation(4)
    o = np.arange(4)
    g.shuffle(o)
    g.shuffle(y)
    z = g.permutation(y * x)
    m = np.outer(x, x)
    g.shuffle(m)
    return y[0] * np.sum(x[p] * x[o]) + np.sum(z * m)


def parameters_of_what_is_drawn(x):
    g = np.random.default_rng(8)
    a, b = x[0] ** 2, x[1] ** 2 + 0.1
    total = g.normal(a, b * b) * g.uniform(a, a + b * b)
    total = total + g.gamma(2.5, b) + g.exponential(a * a)
    y = g.normal(x, 2.0) + g.normal(x[0], size=4) + g.standard_normal((2, 4))
    return total + np.sum(y * y)


def draws_that_nobody_reads(x):
    g = np.random.RandomState(3)
    g.normal(size=3)
    y = x * g.normal()
    for i in range(2):
        g.random()
        y = y * x + g.random(4)
    return np.sum(y)


def generator_that_is_handed_on(x):
    def noise(rng, n):
        return rng.standard_normal(n)

    g = np.random.default_rng(5)
    y = x + noise(g, 4)
    z = y * noise(g, len(x))
    g.random(out=y[1:3])
    return np.sum(z * y * noise(g, 4))


def the_generator_that_all_share(x):
    np.random.seed(3)
    y = x * np.random.normal(size=4)
    y = y * np.random.rand()
    np.random.shuffle(y)
    return np.sum(y * x)


def sizes_that_are_drawn(x):
    g = np.random.default_rng(1)
    k = g.integers(1, 3)
    s = 0.0
    for i in range(g.integers(2, 4)):
        s = s + x[i] * x[k]
    return s * np.sum(x[:k]) + np.sum(x[g.integers(0, 2) :])


def one_name_for_another(x):
    g = np.random.default_rng(1)
    other = np.random.default_rng(g)
    return np.sum(x * g.normal() * other.normal())


def asks_clocks(x):
    began, s = time.monotonic(), 0.0
    for k in range(4):
        start = time.perf_counter()
        s = s + x[k] ** 2 * (start > 0.0)
        if time.perf_counter() - start > 60.0 or time.time_ns() < 0:
            break
    assert time.monotonic() >= began
    return s * s


PROGRAMS = [
    value for value in list(globals().values()) if getattr(value, "__module__", "") == __name__
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_right_in_all_modes(program):
    assert judge(program, [(X,), (X[::-1] * 0.6,)], ("x",)) == Verdict("right")


def of_outside(x):
    return np.sum(x * GENERATOR.normal(size=4)) * GENERATOR.random()


def of_an_argument(x, g):
    y = x * g.normal(size=4)
    return np.sum(y * g.normal(size=4)) * g.random()


def test_generators_of_others_move_on_as_they_do_without():
    with core_alone():
        state = GENERATOR.bit_generator.state
        found = grad(of_outside)(X)
        after = GENERATOR.bit_generator.state
        GENERATOR.bit_generator.state = state
        expected = GENERATOR.normal(size=4) * GENERATOR.random()
        assert GENERATOR.bit_generator.state == after
        np.testing.assert_allclose(found, expected)

        g, same = np.random.default_rng(2), np.random.default_rng(2)
        found = grad(of_an_argument)(X, g)
        expected = same.normal(size=4) * same.normal(size=4) * same.random()
        np.testing.assert_allclose(found, expected)
        assert g.bit_generator.state == same.bit_generator.state
