"""Methods of ufuncs that no rule says: chains and stores, written out in plain Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
import pytest

from autodiff import check_grads, grad, hessian
from autodiff.runtime import turns

X = np.array([0.7, 1.3, 0.4, 1.9])
TABLE = np.linspace(0.3, 1.8, 12).reshape(3, 4)[:, ::-1]


def scaled_twice(x, s):
    y = x.copy()
    np.multiply.at(y, [2, 0, 2], np.array([0.3, 1.7, -0.8]) * s)
    return np.sum(np.sin(y))


def divided(x, s):
    y = x.copy()
    np.divide.at(y, [1, 1, 3, 1], x)
    return np.sum(y * s)


def largest_kept(x, s):
    y = x.copy()
    np.maximum.at(y, [0, 0, 3], np.array([0.9, 1.1, 0.2]) * s)
    return np.sum(y**2)


def sine_of_some(x, s):
    y = x * s
    np.sin.at(y, [1, 3, 1])
    return np.sum(y * x)


def none_chosen(x, s):
    y = x * s
    np.negative.at(y, np.zeros(0, int))
    np.power.at(y, np.zeros(4, bool), s)
    return np.sum(y * x)


def along_columns(x, s):
    y = x[:, None] * x
    np.hypot.at(y, (slice(None), [1, 1]), x[:, None] * s)
    return np.sum(np.cos(y))


def by_a_mask(x, s):
    y = x.copy()
    np.logaddexp.at(y, TABLE[0] > 0.5, s)
    return np.sum(np.sin(y))


@pytest.mark.parametrize(
    "program",
    [scaled_twice, divided, largest_kept, sine_of_some, none_chosen, along_columns, by_a_mask],
)
def test_stores(program: Callable[..., Any]) -> None:
    check_grads(program, X, 0.6, order=2)
    single = grad(program, wrt=("x", "s"))(X.astype(np.float32), 0.6)[0]
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, grad(program, wrt="x")(X, 0.6), rtol=1e-4)


def power_reduced(x):
    return np.sin(np.power.reduce(x))


def angles_reduced(x):
    return np.sum(np.sin(np.arctan2.reduce(x * TABLE, axis=-1, keepdims=True)) * TABLE)


def power_folded(x):
    return np.sin(reduce(np.power, x))


def angles_folded(x):
    return np.sum(np.sin(reduce(np.arctan2, (x * TABLE).T)) * TABLE.T)


FOLDED = {power_reduced: power_folded, angles_reduced: angles_folded}
"""What is the same, step by step."""


def angles_so_far(x):
    return np.sum(np.sin(np.arctan2.accumulate(x * TABLE, axis=1)))


def quotients_between(x):
    return np.sum(np.sin(np.divide.reduceat(x * TABLE, [0, 2, 1], axis=1)))


def distances_between(x):
    return np.sum(np.hypot.reduceat(x, [0, 3, 1]) ** 2)


def rest_reduced(x):
    return np.fmod.reduce(x * 3)


@pytest.mark.parametrize(
    "program",
    [
        *(power_reduced, angles_reduced, angles_so_far),
        *(quotients_between, distances_between, rest_reduced),
    ],
)
def test_chains(program: Callable[..., Any]) -> None:
    if program in FOLDED and not np.isclose(program(X), FOLDED[program](X)):
        # NumPy 2.4 with AVX-512 reads in groups what each step of a reduction is to change.
        check_grads(FOLDED[program], X, order=2)
        for derivative in (grad, hessian):
            expected = derivative(FOLDED[program])(X)
            np.testing.assert_allclose(derivative(program)(X), expected, rtol=1e-12, atol=1e-12)
    else:
        check_grads(program, X, order=2)


def test_each_place_has_its_turns() -> None:
    places = np.array([4, 0, 4, 4, 0, 2])
    np.testing.assert_array_equal(turns(places), [0, 0, 1, 2, 1, 0])
    assert turns(np.zeros(0, int)).shape == (0,)
