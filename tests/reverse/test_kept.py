"""Derivatives that flow through globals, of this module or another: right, or refused."""

import numpy as np
import pytest

from autodiff import UnsupportedSyntaxError, grad, jvp
from tests.reverse import keeping

X = np.array([0.7, 1.3, 0.2])
REFUSED = (
    *(keeping.appended, keeping.appended_by_another_name, keeping.extended, keeping.updated),
    *(keeping.entered, keeping.defaulted, keeping.read_by_a_helper, keeping.stored_by_a_helper),
)


def through(function):
    """The function as a helper of one in this module."""

    def call(x):
        return function(x)

    return call


@pytest.fixture(params=[through, lambda function: function], ids=["helper", "itself"])
def place(request):
    return request.param


@pytest.mark.parametrize("function", keeping.FLOWING, ids=lambda function: function.__name__)
def test_what_flows_through_a_global(function, place):
    if function in REFUSED:
        with pytest.raises(UnsupportedSyntaxError):
            grad(place(function))(X)
        with pytest.raises(UnsupportedSyntaxError):
            jvp(place(function), (X,), (X,))
        return
    step = 1e-6
    slopes = [(function(X + e) - function(X - e)) / (2 * step) for e in step * np.eye(3)]
    np.testing.assert_allclose(grad(place(function))(X), slopes, rtol=1e-6, atol=1e-8)
    value, tangent = jvp(place(function), (X,), (X,))
    assert value == pytest.approx(function(X))
    assert tangent == pytest.approx(slopes @ X)


def test_a_buffer_that_calls_change(place):
    value = keeping.buffer_between(X)
    np.testing.assert_allclose(grad(place(keeping.buffer_between))(X), 3 * value / np.sum(X))
    _, tangent = jvp(place(keeping.buffer_between), (X,), (X,))
    assert tangent == pytest.approx(3 * value)


def test_the_error_names_the_global():
    with pytest.raises(UnsupportedSyntaxError, match="SEEN"):
        grad(through(keeping.appended))(X)


def test_what_is_only_logged_is_not_refused(place):
    before = len(keeping.LOG)
    np.testing.assert_allclose(grad(place(keeping.logged))(X), 2 * X)
    _, tangent = jvp(place(keeping.logged), (X,), (X,))
    assert tangent == pytest.approx(2 * X @ X)
    assert len(keeping.LOG) == before + 2
