"""Extrema that only shift: no derivative goes through them, whatever form that has."""

from __future__ import annotations

import math

import numpy as np
import pytest

from autodiff.derivatives.derivative import Derivative

RNG = np.random.default_rng(3)
A = RNG.standard_normal((3, 4))
SQUARE = RNG.standard_normal((3, 3))
B = RNG.standard_normal(4)


def logsumexp(a):
    top = np.max(a, axis=0)
    return np.sum(np.sin(top + np.log(np.sum(np.exp(a - top), axis=0))))


def logsumexp_of_all(a):
    top = a.max()
    return np.log(np.exp(a - top).sum()) + top


def logsumexp_of_rows(a):
    top = np.max(a, axis=1)
    rest = np.log(np.sum(np.exp(a - top[:, None]), axis=1))
    return np.sum((top + rest) ** 2)


def logsumexp_kept(a):
    top = np.max(a, axis=-1, keepdims=True)
    shifted = a - top
    return np.sum((top + np.log(np.sum(np.exp(shifted), axis=-1, keepdims=True)))[:, 0] ** 2)


def softmax(a):
    e = np.exp(a - np.max(a, axis=1, keepdims=True))
    return np.sum(np.cos(e / np.sum(e, axis=1, keepdims=True)))


def softmax_new_axis(a):
    e = np.exp(a - a.max(axis=1)[:, np.newaxis])
    return np.sum(np.cos(e / e.sum(axis=1)[:, np.newaxis]))


def log_softmax(a):
    shifted = a - np.max(a, axis=1, keepdims=True)
    return np.sum(np.tanh(shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))))


def softmin(a):
    least = np.min(a, axis=0)
    e = np.exp(-1.0 * a + least)
    return np.sum(np.cos(e / np.sum(e, axis=0)))


def two_numbers(a):
    x, y = np.sum(a), np.sum(a * a)
    top = max(x, y)
    return top + math.log(math.exp(x - top) + math.exp(y - top))


def in_a_loop(a):
    total = 0.0
    for k in range(len(a)):
        top = np.max(a[k])
        total = total + (top + np.log(np.sum(np.exp(a[k] - top)))) ** 2
    return total


def two_at_once(a):
    b = 2.0 * a
    top = np.max(a)
    other = np.max(b)
    mixed = np.sum(np.exp(a - top)) / np.sum(np.exp(b - other))
    return np.log(mixed) + top - other


@pytest.mark.parametrize(
    "f",
    [
        logsumexp, logsumexp_of_all, logsumexp_of_rows, logsumexp_kept, softmax, softmax_new_axis,
        log_softmax, two_numbers, in_a_loop, two_at_once,
    ],
)  # fmt: skip
def test_no_derivative_goes_through_it(f):
    found = Derivative(f, "grad")
    agree(f, A, found)
    assert "winners" not in found.source
    assert "share" not in found.source


def wrong_axis(a):
    """The maxima of the rows, taken off the columns: the sums do not have them as factors."""
    top = np.max(a, axis=1)
    return np.sum(np.log(np.sum(np.exp(a - top), axis=1)) + top)


def added_elsewhere(a):
    top = np.max(a, axis=1)
    return np.sum(np.log(np.sum(np.exp(a - top[:, None]), axis=1))) + np.sum(top[::-1] * a[0, 0])


def added_across(a):
    top = np.max(a, axis=1)
    rest = np.log(np.sum(np.exp(a - top[:, None]), axis=1))
    return np.sum((rest[:, None] + top) ** 2)


def twice(a):
    top = np.max(a)
    return np.log(np.sum(np.exp(a - top))) + 2.0 * top


def not_added(a):
    top = np.max(a)
    return np.log(np.sum(np.exp(a - top)))


def plus_one(a):
    top = np.max(a)
    return np.log(1.0 + np.sum(np.exp(a - top))) + top


def looked_at(a):
    top = np.max(a)
    return np.log(np.sum(np.exp(a - top))) + top + np.sum(np.sin(top * a))


def carried(a):
    last = 0.0
    total = 0.0
    for k in range(len(a)):
        total = total + last * a[k, 0]
        top = np.max(a[k])
        last = a[k, 1] - top
        total = total + np.log(np.sum(np.exp(a[k] - top))) + top + last + top
    return total


def outlives(a):
    top = 0.0
    total = 0.0
    for k in range(len(a)):
        top = np.max(a[k])
        total = total + (top + np.log(np.sum(np.exp(a[k] - top)))) ** 2
    return total * top


def in_a_branch(a):
    top = np.max(a)
    y = top
    if a[0, 0] < 10.0:
        y = np.log(np.sum(np.exp(a - top)))
    return y + top


def changed_in_place(a):
    top = np.max(a, axis=0)
    e = np.exp(a - top)
    top[0] = 2.0 * top[0]
    return np.sum(np.log(np.sum(e, axis=0)) + top)


def read_late(a):
    top = np.max(a)
    late = lambda: np.sum(np.exp(a - top))  # noqa: E731
    return np.log(late()) + top * top


def mean_of_factors(a):
    top = np.max(a, axis=0)
    e = np.exp(a - top)
    return np.sum(e / np.sum(e))


def product_with_sum(a):
    top = np.max(a)
    return np.sum((a - top) * np.exp(a - top)) + top


def cut(a):
    top = np.max(a, axis=0)
    return np.sum(np.log(np.sum(np.exp(a - top), axis=0))[1:] + top[:-1])


@pytest.mark.parametrize(
    "f",
    [
        added_elsewhere, added_across, twice, not_added, plus_one, looked_at, carried, outlives,
        in_a_branch, changed_in_place, read_late, mean_of_factors, product_with_sum, cut,
    ],
)  # fmt: skip
def test_the_others_keep_their_derivative(f):
    agree(f, A, Derivative(f, "grad"))


@pytest.mark.parametrize("f", [wrong_axis, added_across])
def test_axes_of_equal_size_are_told_apart(f):
    agree(f, SQUARE, Derivative(f, "grad"))


def test_ties():
    a = np.array([[1.0, 2.0], [1.0, 2.0]])
    weights, shares = np.exp(a) / np.sum(np.exp(a)), (a == 2.0) / 2
    for f, expected in ((logsumexp_of_all, weights), (twice, weights + shares)):
        np.testing.assert_allclose(Derivative(f, "grad")(a), expected, rtol=1e-12)


def agree(f, a, derivative):
    """With central differences."""
    expected = np.empty_like(a)
    for place in np.ndindex(a.shape):
        step = np.zeros_like(a)
        step[place] = 1e-5
        expected[place] = (f(a + step) - f(a - step)) / 2e-5
    found = derivative(a)
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-8)
