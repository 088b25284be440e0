"""Derivatives that would flow through globals, of this module or another, are refused."""

import numpy as np
import pytest

from autodiff import UnsupportedSyntaxError, grad, jvp
from tests.reverse import keeping

X = np.array([0.7, 1.3, 0.2])


def through(function):
    """The function as a helper of one in this module."""

    def call(x):
        return function(x)

    return call


@pytest.mark.parametrize("function", keeping.FLOWING, ids=lambda function: function.__name__)
@pytest.mark.parametrize("place", [through, lambda function: function], ids=["helper", "itself"])
def test_what_flows_through_a_global_is_refused(function, place):
    with pytest.raises(UnsupportedSyntaxError):
        grad(place(function))(X)
    with pytest.raises(UnsupportedSyntaxError):
        jvp(place(function), (X,), (X,))


@pytest.mark.parametrize("place", [through, lambda function: function], ids=["helper", "itself"])
def test_a_buffer_that_calls_change(place):
    with pytest.raises(UnsupportedSyntaxError, match=r"changes the global .*BUFFER"):
        grad(place(keeping.buffer_between))(X)
    _, tangent = jvp(place(keeping.buffer_between), (X,), (X,))
    assert tangent == pytest.approx(3 * keeping.buffer_between(X))


def test_the_error_names_the_global():
    with pytest.raises(UnsupportedSyntaxError, match=r"stored in the global `keeping.SEEN`"):
        grad(through(keeping.appended))(X)


@pytest.mark.parametrize("place", [through, lambda function: function], ids=["helper", "itself"])
def test_what_is_only_logged_is_not_refused(place):
    before = len(keeping.LOG)
    np.testing.assert_allclose(grad(place(keeping.logged))(X), 2 * X)
    _, tangent = jvp(place(keeping.logged), (X,), (X,))
    assert tangent == pytest.approx(2 * X @ X)
    assert len(keeping.LOG) == before + 2
