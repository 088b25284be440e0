"""What a mask leaves out stays 0, and the text says so where it costs nothing."""

import numpy as np
import pytest

from autodiff import check_grads, grad

X = np.array([0.0, 4.0])


def chained(x):
    return np.sum(np.where(x > 0, -np.sqrt(x) * 3.0, 0.0))


def used_twice(x):
    root = np.sqrt(x)
    return np.sum(np.where(x > 0, root * np.log(x), 0.0))


def condition_bound_before(x):
    positive = x > 0
    root = np.sqrt(x)
    positive_root = np.where(positive, root * x, 0.0)
    positive = x > 1e9
    return np.sum(positive_root) + np.sum(positive)


def memory_changes_between(x):
    y = x * 1.0
    z = np.where(y > 0, np.sqrt(y) * np.cos(y), 0.0)
    y[:] = -1.0
    return np.sum(z * y)


def in_a_loop(x):
    total = 0.0
    for k in range(2):
        scaled = x * (k + 1.0)
        total = total + np.sum(np.where(scaled > 0, np.sqrt(scaled) * scaled, 0.0))
    return total


def neither_is_zero(x):
    kept = np.where(x > 1.0, x, 2.0 * x)
    return np.sum(kept * np.where(x > 1.0, np.maximum(x, 0.5), kept))


def one_number(x):
    return np.where(x > 0.0, np.sqrt(x), 0.0) * 2.0


@pytest.mark.parametrize(
    "function", [chained, used_twice, condition_bound_before, memory_changes_between, in_a_loop]
)
def test_the_part_left_out_receives_nothing(function):
    with np.errstate(all="ignore"):
        found = grad(function)(X)
        step = 1e-6
        slope = (function(X + [0.0, step]) - function(X - [0.0, step])) / (2 * step)
    assert found[0] == 0.0
    np.testing.assert_allclose(found[1], slope, rtol=1e-7)


def test_a_number_is_not_divided_by_zero():
    assert grad(one_number)(0.0) == 0.0
    assert grad(one_number)(4.0) == 0.5


def test_the_mask_encloses_the_quotient():
    derivative = grad(chained)
    with np.errstate(all="ignore"):
        derivative(X)
    assert derivative.source.count("np.where") == 1
    assert "np.where(x > 0, -" in derivative.source


def test_choices_between_two_slopes_stay_as_they_are():
    found = grad(neither_is_zero)(np.array([0.3, 4.0]))
    np.testing.assert_allclose(found, [2.4, 8.0])


def norm_by_hand(x):
    squares = np.sum(x * x)
    return np.where(squares == 0, 0.0, np.sqrt(squares))


def spread(x):
    shares = x / np.sum(x, keepdims=True)
    squares = np.sum((shares - 0.5) ** 2)
    return np.where(squares > 0, np.sqrt(squares), 0.0) * 2.0


def log_ratios(x):
    squares = np.sum(np.log(x) ** 2)
    return np.where(squares < np.inf, np.sqrt(squares), 0.0)


@pytest.mark.parametrize(
    ("function", "x"),
    [(norm_by_hand, np.zeros(2)), (spread, np.ones(2, np.float32)), (log_ratios, np.zeros(2))],
)
def test_a_mask_of_a_number_before_an_array_masks_the_array(function, x):
    with np.errstate(all="ignore"):
        found = grad(function)(x)
    assert found.shape == x.shape and found.dtype == x.dtype
    np.testing.assert_array_equal(found, 0.0)
    away = np.array([0.3, 0.9])
    with np.errstate(all="raise"):
        check_grads(function, away)
