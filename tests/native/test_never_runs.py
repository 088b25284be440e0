"""Loops that never run: what they read before it is assigned has no type anybody could find."""
# ruff: noqa: F821 (that is what the names here are: read before they are assigned)

import math

import numpy as np
import pytest

pytest.importorskip("numba")

from autodiff import grad  # noqa: E402 (needs Numba)


def empty_range(x):
    s = x * x
    for _ in range(0):
        before = this
        this = s * math.sin(before)
        s = this * before
    return s * s


def empty_backwards(x):
    s = x * x
    for _ in reversed(range(3, 1)):
        this = np.tanh(this)
        s = s * this
    return s * s


def in_a_loop(x):
    s = x * x
    for k in range(3):
        for _ in range(0):
            before = this * s
            this = before * math.sin(before)
            s = this * before
        s = s * math.sin(s) + k
    return s * s


def in_a_branch(x):
    s = x * x
    if x > 0.0:
        for _ in range(0):
            this = math.sin(this)
            s = s * this
    return s * s


def false_test(x):
    """Python compiles no body here, in which the reverse sweep would find something assigned."""
    s, n = x * x, 0
    while n < 2 and -0.5 > 0.2:
        n += 1
        this = np.tanh(max(x if s < this * this else s, np.arctan2(s, 2 + x**2)))
        s = s * this
    return s * s


def of_an_argument(x):
    u = 2.0 * x
    for _ in reversed(range(0)):
        x *= math.cos(u)
    return x * u


def plain_false(x):
    s = x * x
    while False:
        s = s * math.sin(s)
    return s * s


def false_at_first(x):
    """Numba sees that the loop never runs, but not that its mirror does not."""
    v, n = np.sin(x * np.ones(3)), 0
    while n < 0:
        n += 1
        v = 0.6 * v + 0.5 * np.sin(v * v)
    return np.sum(v)


def powers(x, order):
    result = 1.0
    for _ in range(order):
        result = result * math.sin(x)
    return result


def in_a_helper(x):
    return powers(x, 0) * x + powers(x, 2)


CASES = [empty_range, empty_backwards, in_a_loop, in_a_branch]
CASES += [false_test, plain_false, of_an_argument, in_a_helper]


@pytest.mark.parametrize("function", CASES)
def test_a_loop_that_never_runs_is_left_out(function):
    native, plain = grad(function, backend="numba"), grad(function)
    assert native(0.7) == pytest.approx(plain(0.7), rel=1e-13)
    for text in (native.source, plain.source):
        assert "range(0)" not in text and "range(3, 1)" not in text and "while" not in text


def test_a_loop_of_which_numba_sees_that_it_never_runs():
    expected = grad(false_at_first)(0.7)
    assert grad(false_at_first, backend="numba")(0.7) == pytest.approx(expected, rel=1e-13)


def read_afterwards(x):
    for _ in range(0):
        y = x * x
    return y * x


def test_what_only_the_loop_assigns_is_no_global():
    global y
    y = 3.0
    try:
        with pytest.raises(UnboundLocalError):
            read_afterwards(0.5)
        with pytest.raises(UnboundLocalError):
            grad(read_afterwards)(0.5)
    finally:
        del y
