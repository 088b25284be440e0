"""Adjoints that stand beside the memory itself: where they are made, and where they are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import value_and_grad
from tests.language import oracle
from tests.language.data import P4

CASES: dict[str, Callable[..., Any]] = {}


def case(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of an array of four elements, and perhaps of a flag."""
    CASES[function.__name__] = function
    return function


@case
def one_name(x):
    y = x * 2.0
    y[0] = x[1]
    return np.sum(y * x)


@case
def a_window(x):
    y = x * 2.0
    v = y[1:]
    v[0] = x[1]
    return np.sum(y * x) + np.sum(v)


@case
def two_buffers_that_are_swapped(x):
    y = x * 2.0
    w = x * 3.0
    for k in range(3):
        y[0] = w[1] * x[2]
        y, w = w, y
    return np.sum(y * w)


@case
def one_of_two(x, first=True):
    u = x * 2.0
    w = x * 3.0
    v = u if first else w
    v[0] = x[1] * x[2]
    return np.sum(u * w)


@case
def on_one_branch(x, first=True):
    u = x * 2.0
    w = x * 3.0
    if first:
        v = u
    else:
        v = w
    v[0] = x[1] * x[2]
    return np.sum(u * w) + np.sum(v)


@case
def fresh_on_the_other_branch(x, first=True):
    u = x * 2.0
    if first:
        v = u
    else:
        v = x * 3.0
    v[0] = x[1]
    return np.sum(u * x) + np.sum(v * x)


@case
def perhaps_a_view(x):
    u = x * 2.0
    v = u.reshape(2, 2)
    v[0, 0] = x[1]
    return np.sum(u * x) + np.sum(v)


@case
def perhaps_a_copy(x):
    u = (x * np.ones((3, 4))).T
    v = u.reshape(-1)
    v[0] = x[1]
    u[1, 1] = x[2]
    return np.sum(u**2) + np.sum(v**3)


@case
def without_a_derivative(x, first=True):
    u = np.ones(4)
    w = np.ones(4) * 2.0
    v = u if first else w
    v[0] = 5.0
    return np.sum(u * w * x)


@case
def the_array_of_an_earlier_iteration(x):
    u = x * 2.0
    old = u
    total = 0.0
    for k in range(3):
        u[k] = u[k] * x[k]
        total = total + np.sum(old * x)
        old = u
        if k == 1:
            u = x * 3.0
    return total + np.sum(u)


@pytest.mark.parametrize("flag", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_gradient(name: str, flag: bool) -> None:
    function = CASES[name]
    rest = (flag,) if "first" in function.__code__.co_varnames else ()
    value, gradient = value_and_grad(function)(P4.copy(), *rest)
    assert value == pytest.approx(function(P4.copy(), *rest), rel=1e-14)
    (wanted, *_) = oracle.gradients(function, (P4, *rest), {}, (0,))
    oracle.compare(gradient, P4, wanted, 1e-6, name)
