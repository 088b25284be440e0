"""Divisors that cannot be 0 are not compared with 0; all others are."""

import math

import numpy as np
import pytest

pytest.importorskip("numba")

import numba

from autodiff.native.quick import Quick


def squashed(x):
    return 1.0 / (1.0 + math.exp(-x))


def softened(x):
    d2 = x * x + 0.01
    return x / (d2 * math.sqrt(d2))


def powers(x):
    return x / (x**2 + 1) / (2.0 * abs(x) + math.cosh(x))


def may_be_zero(x):
    return 1.0 / (x * x)


def may_underflow(x):
    return 1.0 / (math.exp(-x) * 1e-300)


def odd(x):
    return 1.0 / (1.0 + x**3)


def less(x):
    return 1.0 / (math.exp(x) - 1.0)


def wraps(n):
    return 1.0 / (n * n + 7.0)


def of_another_iteration(x):
    """`before` is a copy of `y`, made in the iteration before: their product may be -1."""
    s, before = 0.0, 0.0
    for k in range(len(x)):
        y = x[k]
        s += 1.0 / (1.0 + before * y)
        before = y
    return s


def summed(x):
    """What is added in a loop has several definitions."""
    s = 1.0
    for k in range(len(x)):
        s += x[k]
    return 1.0 / s


def compiled(function):
    return numba.njit(pipeline_class=Quick)(function)


@pytest.mark.parametrize("function", [squashed, softened, powers])
def test_nothing_is_compared(function):
    found = compiled(function)
    for x in (0.3, -1.2, 0.0, 1e-200, -700.0):
        assert found(x) == pytest.approx(function(x), rel=1e-15)
    [code] = found.inspect_llvm().values()
    assert "fdiv" in code
    assert "fcmp" not in code


@pytest.mark.parametrize(
    ("function", "argument"),
    [
        (may_be_zero, 0.0),
        (may_be_zero, 1e-200),
        (may_underflow, 300.0),
        (odd, -1.0),
        (less, 0.0),
        (wraps, 1852311383259529397),  # its square is -7 in 64 bits
        (of_another_iteration, np.array([1.0, -1.0])),
        (summed, np.array([-0.5, -0.5])),
    ],
)
def test_zero_is_found(function, argument):
    with pytest.raises(ZeroDivisionError):
        compiled(function)(argument)
