"""Iterators that a helper leaves before their end, and iterators that helpers get several times."""

import itertools

import numpy as np
import pytest

from autodiff import AutodiffError, check_grads, grad, jvp
from tests.core.differences import differences, refused_or_right

X = np.array([0.5, 0.7, 1.1, 1.3])


def up_to_one(x, places):
    total = 0.0
    for i in places:
        total = total + x[i] ** 2
        if i == 1:
            break
    return total


def all_of(x, places):
    total = 0.0
    for i in places:
        total = total + x[i] ** 2
    return total


def beside(x, places):
    total = 0.0
    for i, w in zip(places, (1.0, 2.0)):
        total = total + w * x[i]
    return total


def places_of(n):
    for i in range(n):
        yield i


def then_a_loop(x):
    rest = iter(range(4))
    total = up_to_one(x, rest)
    for i in rest:
        total = total + 3 * x[i] ** 3
    return total


def two_helpers(x):
    rest = iter(range(4))
    return up_to_one(x, rest) + all_of(2 * x, rest)


def another_name(x):
    rest = map(int, "0123")
    same = rest
    return up_to_one(x, rest) + all_of(2 * x, same)


def iterator_of_iterator(x):
    rest = iter(range(4))
    return up_to_one(x, iter(rest)) + all_of(2 * x, rest)


def of_a_generator(x):
    rest = places_of(4)
    return up_to_one(x, rest) + all_of(2 * x, rest)


def in_a_dict(x):
    state = {"rest": iter(range(4))}
    return up_to_one(x, state["rest"]) + all_of(2 * x, state["rest"])


def in_a_loop(x):
    total, rest = 0.0, iter(range(4))
    while total < 1.0:
        total = total + up_to_one(x, rest) + 0.3
    return total


def beside_a_tuple(x):
    rest = iter(range(4))
    return beside(x, rest) + all_of(2 * x, rest)


def made_in_the_first_iteration(x):
    total = 0.0
    for k in range(2):
        if k == 0:
            rest = iter(range(4))
        total = total + up_to_one(x * x, rest)
    return total


def of_an_argument(x, rest):
    return up_to_one(x, rest)


@pytest.mark.parametrize(
    "function",
    [
        then_a_loop, two_helpers, another_name, iterator_of_iterator, in_a_dict,
        pytest.param(of_a_generator, marks=pytest.mark.followed),
        in_a_loop, beside_a_tuple, made_in_the_first_iteration,
    ],
)  # fmt: skip
def test_rest_of_an_iterator_that_a_helper_leaves(function):
    expected = differences(function, (X,))
    np.testing.assert_allclose(grad(function)(X), expected, rtol=2e-5)
    dot = jvp(function, (X,), (X,))[1]
    assert dot == pytest.approx(np.vdot(expected, X), rel=2e-5)


def test_iterator_of_the_user_that_a_loop_leaves():
    rest = iter(range(4))
    with pytest.raises((AutodiffError, ValueError), match="may leave an iterator before its end"):
        grad(of_an_argument)(X, rest)
    assert list(rest) == [0, 1, 2, 3]


def to_its_end(x):
    rest = iter(range(4))
    total = all_of(x, rest)
    for i in rest:  # no more
        total = total + 3 * x[i] ** 3
    return total


def alone(x):
    return up_to_one(x, iter(range(4))) + up_to_one(x, places_of(3)) + up_to_one(x, [3, 2, 1])


def made_in_the_loop(x):
    total = 0.0
    for k in range(3):
        rest = itertools.chain(range(k), [3])
        total = total + up_to_one(x, rest) * x[k]
    return total


def sequence_twice(x):
    places = [int(v) for v in "0123"]
    return up_to_one(x, places) + all_of(2 * x, places) + beside(x, places)


def zipped_with_itself(x):  # found by random programs: a `zip` was taken for an iterator itself
    total = 0.0
    for _ in range(2):
        for v, w in zip(x, x):
            total = total + v * w
            if total > 1.0:
                break
        else:
            total = total * x[0]
    return total


def zipped_before(x):
    total, pairs = 0.0, zip((1.0, 2.0, 3.0), x)
    for a, v in pairs:
        total = total + a * v
        if total > 1.0:
            break
    return total


@pytest.mark.parametrize(
    "function",
    [to_its_end, alone, made_in_the_loop, sequence_twice, zipped_with_itself, zipped_before],
)
def test_loops_that_leave_nothing_to_others(function):
    check_grads(function, X)


def weighted(pairs):
    total = 0.0
    for i, value in pairs:
        total = total + (i + 1) * value**2
    return total


def enumerated_twice(x):
    total, pairs = 0.0, enumerate(x)
    for _ in range(2):
        total = total + weighted(pairs)
    return total


def enumerated_in_the_first_iteration(x):
    total = 0.0
    for k in range(2):
        if k == 0:
            pairs = enumerate(x)
        total = total + weighted(pairs)
    return total


def of_both(pairs):
    return weighted(pairs) + weighted(pairs)


def twice_in_the_helper(x):
    return of_both(enumerate(x))


def held_by_a_list(x):
    held = [map(lambda v: v * v, x)]
    return sum(held[0]) + sum(held[0])


@pytest.mark.parametrize(
    "function",
    [enumerated_twice, enumerated_in_the_first_iteration, twice_in_the_helper, held_by_a_list],
)
def test_items_that_are_asked_for_again(function):
    """The second time there are none: a list in place of the iterator would give them again."""
    refused_or_right(function, X, match="all asked for at one place")


def enumerated_once(x):
    total = weighted(enumerate(x)) + weighted(zip(range(4), x * x))
    for k in range(3):
        pairs = enumerate(x * k)
        if k > 1:
            total = total + weighted(pairs)
    return total


def test_items_that_a_helper_asks_for_once():
    check_grads(enumerated_once, X)
