"""Names that stand more than once among the targets of one assignment; iterators taken in parts."""

import itertools

import numpy as np
import pytest

from autodiff import check_grads, jvp
from tests.core.differences import refused_or_right

X = np.array([0.3, -0.6, 0.9, 1.2])


def twice(x):
    a, a = np.split(x, 2)
    return np.sum(a * a)


def of_items(x):
    total = 0.0
    for a, a in [(x[0], x[1]), (x[2], x[3])]:
        total += a * a
    return total


def nested(x):
    (a, b), a = (x[0], x[1]), x[2]
    pair = (x[1], x[2]), a
    (b, a), a = pair
    return a * b


def slot_before_its_index(x):
    z, i = np.zeros(4), 1
    pair = (x[0] * 2, 3)
    z[i], i = pair
    return np.sum(z * x * x) + i


@pytest.mark.parametrize("function", [twice, of_items, nested, slot_before_its_index])
def test_targets_get_their_values_from_left_to_right(function):
    check_grads(function, X)


def rest_of_range(x):
    total, rest = 0.0, iter(range(4))
    for i in rest:
        total += np.sin(x[i])
        if i == 1:
            break
    for i in rest:
        total += x[i] * x[i]
    return total


def rest_of_pairs(x):
    total, rest = 0.0, zip(range(4), "abcd")
    for i, _ in rest:
        total += np.sin(x[i])
        if i == 1:
            break
    for i, _ in rest:
        total += x[i] * x[i]
    return total


def rest_in_a_loop(x):
    total, rest = 0.0, itertools.chain(range(2), range(2, 4))
    for k in range(3):
        for i in rest:
            total += np.sin(x[i]) * k
            if i % 2:
                break
    return total


@pytest.mark.parametrize("function", [rest_of_range, rest_of_pairs, rest_in_a_loop])
def test_a_loop_that_leaves_the_rest_of_an_iterator_takes_no_more_than_its_own_items(function):
    value, tangent = jvp(function, (X,), (np.ones(4),))
    step = 1e-6
    assert value == function(X)
    assert np.isclose(tangent, (function(X + step) - function(X - step)) / (2 * step))
    refused_or_right(function, X, match="leaves before the end")


def stops_early(x):
    total, all_of_it = 0.0, iter(range(4))
    for i in all_of_it:
        total += np.sin(x[i])
        if i == 2:
            break
    return total


def test_an_iterator_of_one_loop_may_be_left():
    check_grads(stops_early, X)
