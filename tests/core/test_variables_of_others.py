"""Variables of others that a function assigns: `nonlocal` and `global`."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad
from tests.core.judge import Verdict, core_alone, judge, programs

X, A = 0.7, np.array([0.5, 0.3, -0.6])
TOTAL = 0.0
FACTORS = np.ones(3)


def between_calls(x, a):
    n = 0.0

    def tick(v):
        nonlocal n
        n += v
        return n * v

    s = 1.0
    for i in range(3):
        if a[i] > 0:
            s = s * tick(a[i])
        n = n * x
    return s * n


def array(x, a):
    b = a * 1.0

    def up(k):
        nonlocal b
        b = b * k
        b[0] = b[1] * k

    up(x)
    c = b
    up(a[1])
    c[2] = x
    return np.sum(b * c)


def of_each_call(x, a):
    def outer():
        k = x

        def inner():
            nonlocal k
            k = k * a[1]
            return k

        return inner

    one, two = outer(), outer()
    return one() * one() * two()


def parameter(x, a):
    def step():
        nonlocal a
        a = a * x
        return np.sum(a)

    return step() * step()


def in_a_recursion(x, a):
    k, found = 0, []

    def visit(n):
        nonlocal k
        k += 1
        if n > 0:
            visit(n - 1)
        found.append(a[n] * k)

    visit(2)
    return found[0] * found[1] + found[2] * x


def read_late(x, a):
    k = x

    def put(v):
        nonlocal k
        k = v

    get = lambda: k  # noqa: E731
    one = get()
    put(a[1] * one)
    return one * get() * k


def in_a_test(x, a):
    k, n = 1.0, 0

    def up():
        nonlocal k
        k = k * x
        return k > 0.01

    while up() and n < 3:
        n += 1
    return k * n * a[0]


def through_two(x, a):
    t = 0.0

    def f(k):
        def g(v):
            nonlocal t
            t = t + v * k

        return g

    f(x)(a[1])
    f(a[1])(a[2])
    return t


def of_the_inner_one(x, a):
    k = x

    def middle():
        k = 2.0

        def inner():
            nonlocal k
            k = k * a[1]

        inner()
        return k

    return middle() * k


def within_an_expression(x, a):
    k = x

    def up(v):
        nonlocal k
        k *= v
        return k

    s = k + up(a[1]) + k
    return s * up(up(a[2]))


def reset():
    global TOTAL, FACTORS
    TOTAL, FACTORS = 0.0, np.ones(3)


def add(v):
    global TOTAL
    TOTAL = TOTAL + v


def of_the_module(x, a):
    global TOTAL
    reset()
    w = TOTAL
    for i in range(3):
        if a[i] > 0:
            TOTAL = TOTAL + a[i] ** 2
        else:
            add(a[i] * TOTAL)
        w += TOTAL * a[i]
    read = lambda v: v * TOTAL  # noqa: E731
    add(x)
    return w * read(x)


def array_of_the_module(x, a):
    global FACTORS
    reset()
    FACTORS *= a
    b = FACTORS
    FACTORS = FACTORS * 2
    b[0] = x
    return np.sum(FACTORS * b)


def hidden(x, a):
    global TOTAL
    reset()

    def own(TOTAL):  # noqa: N803
        TOTAL = TOTAL * x
        return TOTAL

    TOTAL = own(a[0])
    return own(TOTAL) * TOTAL


def kept_by_a_default(x, a):
    total = x
    items = [x]

    def add(v, begin=total, *, also=items):
        nonlocal total, items
        total = total * v + begin
        also.append(v)
        items = [v]
        return sum(also)

    return add(a[0]) * add(a[1]) * total + items[0]


PROGRAMS = programs(globals())


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_right(program):
    assert judge(program, [(X, A), (0.2, A + 0.1)], ("x", "a")) == Verdict("right")


@pytest.mark.parametrize("program", [of_the_module, array_of_the_module, hidden])
def test_globals_stay_as_the_function_leaves_them(program):
    program(X, A)
    left = TOTAL, FACTORS.copy()
    with core_alone():
        grad(program, wrt=("x", "a"))(X, A)
    assert left[0] == TOTAL
    np.testing.assert_array_equal(left[1], FACTORS)


def grows(x):
    global TOTAL
    TOTAL = TOTAL * x
    return TOTAL


def test_each_call_begins_with_what_is_there(monkeypatch):
    monkeypatch.setitem(globals(), "TOTAL", 2.0)
    with core_alone():
        derivative = grad(grows)
        assert [derivative(3.0), derivative(3.0)] == [2.0, 6.0]
        globals()["TOTAL"] = 5
        assert derivative(3.0) == 5.0


def bound_by_a_loop(x, a):
    global TOTAL
    for TOTAL in range(3):  # noqa: PLW0127
        pass
    return x * TOTAL


def test_not_followed_yet():
    assert judge(bound_by_a_loop, [(X, A)], ("x", "a")).what == "not yet"
