"""What stores overwrite and the reverse sweep reads: kept, and only that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import value_and_grad, vjp
from tests.language import oracle
from tests.language.data import P4

CASES: dict[str, Callable[..., Any]] = {}


def case(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of an array of four elements."""
    CASES[function.__name__] = function
    return function


@case
def stored_and_not_read(x):
    y = x.copy()
    y[0] = x[1]
    return np.sum(y * 2.0)


@case
def read_after_the_store_only(x):
    y = x.copy()
    y[0] = x[1]
    return np.sum(y**2)


@case
def read_before_the_store(x):
    y = x.copy()
    total = np.sum(y**2)
    y[0] = x[1]
    return total + np.sum(y)


@case
def a_slice(x):
    y = x.copy()
    total = np.sum(y**2)
    y[1:] = x[:-1]
    return total + np.sum(y)


@case
def everything(x):
    y = x.copy()
    total = np.sum(y**2)
    y[...] = x * 3.0
    return total + np.sum(y)


@case
def nobody_sees_that_it_is_a_new_array(x):
    y = x.copy()
    total = np.sum(y**2)
    y *= 3.0
    return total + np.sum(y)


@case
def a_mask(x):
    y = x.copy()
    total = np.sum(y**2)
    y[x > 1.0] = 0.0
    return total + np.sum(y)


@case
def a_fancy_index(x, places=np.array([0, 2, 2])):
    y = x.copy()
    total = np.sum(y**2)
    y[places] = x[places]
    return total + np.sum(y)


@case
def added_at(x, places=np.array([0, 2, 2])):
    y = x.copy()
    total = np.sum(y**2)
    np.add.at(y, places, x[places])
    return total + np.sum(y)


@case
def the_first_of_two_stores(x):
    y = x.copy()
    total = np.sum(y**2)
    y[0] = x[1]
    return total + np.sum(y * x[0])


@case
def two_stores(x):
    y = x.copy()
    total = np.sum(y**2)
    y[0] = x[1]
    y[1] = x[2]
    return total + np.sum(y)


@case
def another_array(x):
    y = x.copy()
    w = x.copy()
    total = np.sum(y**2)
    w[0] = x[1]
    return total + np.sum(w)


@case
def seen_through_a_view(x):
    y = x.copy()
    w = y[1:]
    total = np.sum(y**2)
    w[0] = x[1]
    return total + np.sum(w)


@case
def shape_only(x):
    y = x.copy()
    total = np.sum(np.zeros_like(y) + x) * len(y)
    y[0] = x[1]
    return total + np.sum(y)


@case
def filled_anew_in_each_iteration(x):
    total = 0.0
    for k in range(3):
        work = np.zeros(4)
        work[k] = x[k]
        total = total + np.sum(work**2)
    return total


@case
def the_same_buffer_in_each_iteration(x):
    total = 0.0
    work = np.zeros(4)
    for k in range(3):
        work[...] = x * k
        total = total + np.sum(work**2)
    return total


@case
def a_linear_buffer(x):
    total = 0.0
    work = np.zeros(4)
    for k in range(3):
        work[...] = x * k
        total = total + np.sum(work)
    return total


@case
def read_in_the_next_iteration(x):
    y = x.copy()
    total = 0.0
    for k in range(3):
        total = total + np.sum(y**2)
        y[k] = x[k + 1]
    return total + np.sum(y)


@case
def on_one_branch(x):
    y = x.copy()
    total = np.sum(y**2)
    if x[0] > 0.0:
        y[0] = x[1]
    return total + np.sum(y)


@case
def read_on_the_other_branch(x):
    y = x.copy()
    if x[0] > 100.0:
        total = np.sum(y**2)
    else:
        y[0] = x[1]
        total = np.sum(y)
    return total


@case
def an_argument(x):
    total = np.sum(x**2)
    x[0] = x[1]
    return total + np.sum(x)


@case
def without_a_derivative(x):
    buffer = np.ones(4)
    total = np.sum(buffer * x)
    buffer[0] = 5.0
    return total + np.sum(buffer * x)


@case
def unwanted_once_the_name_is_rebound(x):
    y = x.copy()
    total = np.sum(y**2)
    y[0] = x[1]
    total = total + np.sum(y)
    y = np.zeros(4)
    y[1] = x[2]
    return total + np.sum(y)


@pytest.mark.parametrize("name", CASES)
def test_gradient(name: str) -> None:
    function = CASES[name]
    x = P4.copy()
    value, gradient = value_and_grad(function)(x)
    np.testing.assert_array_equal(x, P4)
    assert value == pytest.approx(function(P4.copy()), rel=1e-14)
    (wanted,) = oracle.gradients(function, (P4,), {}, (0,))
    oracle.compare(gradient, P4, wanted, 1e-6, name)


@pytest.mark.parametrize("name", CASES)
def test_a_pullback_can_run_again(name: str) -> None:
    """It works on copies of what it restores."""
    function = CASES[name]
    _, pullback = vjp(function, P4.copy())
    first = pullback(1.0)[0].copy()
    np.testing.assert_array_equal(pullback(1.0)[0], first)
    np.testing.assert_allclose(pullback(2.0)[0], 2.0 * first, rtol=1e-14)


def test_a_value_that_is_restored_is_a_copy() -> None:
    """The reverse sweep puts back what was overwritten, but not in the value that is returned."""

    def products(x):
        y = x.copy()
        y[0] = y[1] * y[2]
        y[1:] = y[1:] * y[0]
        return np.sum(y**2), y

    (_, y), gradient = value_and_grad(products, has_aux=True)(P4.copy())
    np.testing.assert_array_equal(y, products(P4.copy())[1])
    (wanted,) = oracle.gradients(lambda x: products(x)[0], (P4,), {}, (0,))
    oracle.compare(gradient, P4, wanted, 1e-6, "x")
