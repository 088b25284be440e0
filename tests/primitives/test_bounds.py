"""What a result is said never to be below: each function is run."""

import inspect
import itertools
import math

import numpy as np
import pytest

from autodiff import grad
from autodiff.primitives import algebra as bounds
from autodiff.rules.home import public_name

LOWS = (-2.0, 0.0, 0.5, 3.0)
OF_TWO = (np.hypot, math.hypot)


def operands(function):
    if function in (sum, max, min, np.maximum, np.minimum):
        return 2
    if function in OF_TWO or getattr(function, "nin", 1) == 2:
        return 2
    try:
        return sum(p.default is p.empty for p in inspect.signature(function).parameters.values())
    except ValueError:
        return 1


@pytest.mark.parametrize("function", list(bounds._LEAST), ids=public_name)
def test_nothing_is_below(function):
    rng, count = np.random.default_rng(0), operands(function)
    for lows in itertools.product(LOWS, repeat=count):
        for scale in (1e-3, 1.0, 400.0):
            given = [low + scale * rng.random() ** 4 for low in lows]
            if function in (sum, np.sum, np.mean, np.max, np.min):
                given = [np.array([given[0], lows[0]]), *lows[1:]]
                bound = bounds._LEAST[function](*lows)
            else:
                bound = bounds._LEAST[function](*lows)
            with np.errstate(all="ignore"):
                try:
                    value = function(*given)
                except (ValueError, ZeroDivisionError, OverflowError):
                    continue
                assert not np.any(value < bound)


def sigmoid(x):
    y = np.zeros_like(x)
    y[1:] = 1 / (1 + np.exp(-x[1:]))
    y[:2] = 0.0
    return np.sum(y**2)


def quotient(x, k, n):
    s = 0.0
    for i in range(n):
        y = x / k
        if i % 2:
            s += y * y
    return s


def left_out(x):
    return np.sum(np.where(x < 1.0, 1 / (1 + np.exp(-x)), 0.0))


def test_a_quotient_by_what_is_above_zero_has_no_gate():
    text = grad(sigmoid).source_for(np.ones(4))
    assert "where" not in text and " if " not in text
    text = grad(quotient, wrt=("x", "k")).source_for(1.0, 2.0, 4)
    assert " else 0.0" not in text
    assert grad(quotient, wrt=("x", "k"))(1.5, 2.0, 4) == pytest.approx((1.5, -1.125))
    with pytest.raises(ZeroDivisionError):
        grad(quotient)(1.5, 0.0, 4)


def test_what_is_left_out_is_so_if_it_is_no_number():
    found = grad(left_out)(np.array([0.0, np.nan, np.inf]))
    np.testing.assert_array_equal(found, [0.25, 0.0, 0.0])


def quotient_of_numpy(x, k):
    y = x[0] / k
    if not np.isfinite(y):
        y = x[1]
    return y


def test_numbers_of_numpy_have_quotients_by_zero():
    with np.errstate(divide="ignore"):
        found = grad(quotient_of_numpy)(np.array([1.0, 2.0]), np.float64(0.0))
    np.testing.assert_array_equal(found, [0.0, 1.0])


def scaled(u, h, n):
    for _ in range(n):
        v = u.copy()
        u[1:-1] = v[1:-1] - (v[2:] - v[:-2]) / h
    return np.sum(u**2)


def scaled_in_branch(u, h):
    y = np.zeros_like(u)
    y[:] = u / h
    if h == 0:
        y[:] = u
    return np.sum(y**2)


def scaled_where(u, h):
    y = u / h
    y[~np.isfinite(y)] = 3.0
    return np.sum(y)


def test_a_number_that_divides_an_array_divides_all_of_it():
    assert "where" not in grad(scaled).source_for(np.ones(5), 0.5, 2)
    with np.errstate(all="ignore"):
        found = grad(scaled_in_branch)(np.array([1.0, 2.0]), 0.0)
        np.testing.assert_array_equal(found, [2.0, 4.0])
        np.testing.assert_array_equal(grad(scaled_where)(np.array([1.0, 2.0]), 0.0), [0.0, 0.0])


def root_left_out(x):
    y = x**0.5
    y[0] = 1.0
    return np.sum(y)


def reciprocal_left_out(x, p):
    y = x**p
    y[0] = 1.0
    return np.sum(y)


def test_a_power_is_infinite_by_its_base():
    """Which may be zero in one place, though the exponent is one number."""
    x = np.array([0.0, 1.0, 4.0])
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(grad(root_left_out)(x), [0.0, 0.5, 0.25])
        np.testing.assert_allclose(grad(reciprocal_left_out)(x, -1.0), [0.0, -1.0, -1 / 16])


def divided_by_a_sum(x, xs, start):
    y = x / sum(xs, start)
    y[0] = 1.0
    return np.sum(y)


def tiny(x):
    y = x / (x * x + 1e-60)
    y[0] = 1.0
    return np.sum(y, dtype=float)


def test_what_is_above_zero_in_double_precision_may_be_zero_in_another():
    with np.errstate(all="ignore"):
        found = grad(tiny)(np.array([0.0, 2.0], np.float32))
    np.testing.assert_allclose(found, [0.0, -0.25])


def test_a_sum_begins_where_it_is_told():
    with np.errstate(all="ignore"):
        xs = [np.array([1.0, 2.0]), np.array([0.0, 1.0])]
        found = grad(divided_by_a_sum)(np.array([0.0, 2.0]), [v * v for v in xs], -1.0)
    np.testing.assert_allclose(found, [0.0, 0.25])
