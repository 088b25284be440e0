"""Globals that change: what a helper rebinds between two reads, and functions of a recursion."""

import sys

import pytest

from autodiff import UnsupportedSyntaxError, grad

SCALE = 1.0


def rescale():
    global SCALE
    SCALE = SCALE + 1.0


def rescaled_between_reads(x):
    y = x * SCALE
    rescale()
    return y * SCALE


def test_a_helper_that_rebinds_a_global_is_refused():
    with pytest.raises(UnsupportedSyntaxError, match="rebinds the global `SCALE`"):
        grad(rescaled_between_reads)(0.7)
    assert SCALE == 1.0


def shape_of_wave(t):
    return t * t


def damped(x, n):
    return shape_of_wave(x) if n == 0 else damped(x, n - 1) * x


def nested_damping(x):
    def part(n):
        return shape_of_wave(x) if n == 0 else part(n - 1) * x

    return part(2)


def given_damping(x):
    return applied(lambda t: shape_of_wave(t) * x, x, 1)


def applied(f, x, n):
    return f(x) if n == 0 else applied(f, x, n - 1) * x


@pytest.mark.parametrize("function", [lambda x: damped(x, 2), nested_damping, given_damping])
def test_another_function_in_a_recursion_is_seen(function, monkeypatch):
    derivative = grad(function)
    assert derivative(2.0) == 32.0
    monkeypatch.setattr(sys.modules[__name__], "shape_of_wave", lambda t: t * t * t)
    assert derivative(2.0) == 80.0
