"""Tests of a helper that a call decides, and those that it does not."""

import numpy as np
import pytest

from autodiff import grad

X = np.array([1.3, 1.1, 1.7])


def weighted(x, w=None, scale=1.0, verbose=False):
    if w is None:
        w = np.ones(3)
    if verbose:
        print(w)
    return np.sum(w * x**2) * scale


def left_out(x):
    return weighted(x)


def given(x):
    return weighted(x, x)


def handed_on(x, w=None):
    return weighted(x, w)


def shadowed(x):
    w = None
    for _ in range(2):
        s = weighted(x, w)
        w = x
    return s


@pytest.mark.parametrize("function", [left_out, given])
def test_nothing_is_left_of_tests_that_the_call_decides(function):
    derivative = grad(function)
    derivative(X)
    assert "None" not in derivative.source
    assert "print" not in derivative.source


def test_a_variable_that_is_none_at_first_is_still_asked_for():
    np.testing.assert_allclose(grad(shadowed)(X), 3 * X**2)
