"""Small programs that once were wrong where runs are followed: each shows what did not hold."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from autodiff import grad, jacfwd
from autodiff.errors import AutodiffError
from tests.tracing.alone import followed_alone
from tests.tracing.test_followed import X, slopes


def windows_of_an_argument(x: Any) -> Any:
    windows = as_strided(x, (2, 2), x.strides * 2)
    x[1] = x[0] * x[2]
    return np.sum(windows * windows)


def a_number_that_is_broadcast(x: Any) -> Any:
    return np.sum(np.broadcast_to(x[0] * x[1], (2, 3)) * x)


def joined_along_an_axis_by_its_place(x: Any) -> Any:
    return np.prod(np.concatenate(([x], [x * x]), 1)[0, 2:])


def constants_added_at_places(x: Any) -> Any:
    y = x * 1.0
    np.add.at(y, [0, 1, 1], 0.5)
    np.subtract.at(y, [0, 1, 1], [1, 2, x[0]])
    return np.sum(y * y)


def two_results_in_their_places(x: Any) -> Any:
    rest, whole, more = np.zeros(3), np.zeros(3), np.zeros(3)
    np.modf(x * 3.1, out=(rest, whole))
    np.modf(x * x, more)
    return np.sum(rest * rest * (whole + 1.0) + more**3)


def lists_of_lists(x: Any) -> Any:
    p, q, r = x
    block = np.block([[p, q], [r, 1.0]])
    product = np.matmul([[p, 1.0]], [[2.0], [q]])
    parts = np.concatenate([[p], [1.0, q]])
    return block[1, 0] * product[0, 0] + parts[2] * np.isnan([[p], [q]]).size


def lists_of_complex_numbers(x: Any) -> Any:
    return np.sign([x[0] + 1j * x[1]])[0].real * x[2]


def flat_begins_again(x: Any) -> Any:
    items = x.flat
    next(items)
    items[2] = x[0] * x[1]
    return next(items) * 2.0 + next(items) + sum(items)


def kept_as_it_was_first(x: Any) -> Any:
    state = [1.0]

    @functools.lru_cache(maxsize=None)
    def times(k: int) -> Any:
        return state[0] * k

    before = times(2)
    state[0] = x[0]
    after = times(3)
    state[0] = 5.0
    return before * x[1] + times(2) * x[0] + times(3) * after


def kept_for_each_type(x: Any) -> Any:
    @functools.lru_cache(maxsize=None)
    def times(k: Any) -> Any:
        return x[0] * k if type(k) is int else x[1] * k

    return times(2) + times(2.0) * times(2)


class Summed(np.ndarray):  # type: ignore[type-arg]
    def sum(self) -> Any:  # type: ignore[override]
        return np.ndarray.sum(self, keepdims=True)[0]


def of_another_class(x: Any) -> Any:
    return (x * 2.0).view(Summed).sum()


PROGRAMS = [
    windows_of_an_argument,
    a_number_that_is_broadcast,
    joined_along_an_axis_by_its_place,
    constants_added_at_places,
    two_results_in_their_places,
    lists_of_lists,
    lists_of_complex_numbers,
    flat_begins_again,
    kept_as_it_was_first,
    kept_for_each_type,
    of_another_class,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_right(program: Callable[[Any], Any]) -> None:
    expected = slopes(lambda x: program(x.copy()), X)
    with followed_alone():
        np.testing.assert_allclose(grad(program)(X), expected, rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(jacfwd(program)(X), expected, rtol=1e-6, atol=1e-8)


def read_as_shorter_numbers(x: Any) -> Any:
    return np.sum((x * 2.0).view(np.float16)[1::4].astype(float))


def with_other_bytes(x: Any) -> Any:
    return np.sum((x * 2.0).view(">f8"))


def how_often_it_was_kept(x: Any) -> Any:
    @functools.lru_cache(maxsize=None)
    def times(k: int) -> Any:
        return x[0] * k

    return times(2) + times(2) * times.cache_info().hits


@pytest.mark.parametrize(
    "program",
    [read_as_shorter_numbers, with_other_bytes, how_often_it_was_kept],
    ids=lambda f: f.__name__,
)
def test_refused(program: Callable[[Any], Any]) -> None:
    with followed_alone():
        for derivative in (grad(program), jacfwd(program)):
            with pytest.raises(AutodiffError):
                derivative(X)


def test_a_view_that_numpy_keeps_from_writing_stays_so() -> None:
    def function(x: Any) -> Any:
        diagonal = np.diagonal(np.outer(x, x))
        diagonal.fill(x[0])
        return np.sum(diagonal)

    with followed_alone(), pytest.raises(ValueError, match="read-only"):
        grad(function)(X)
