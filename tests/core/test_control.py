"""Loops, branches and what leaves them, through Core."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autodiff import grad, takeover, value_and_grad
from tests.core.differences import check

V = np.array([0.5, -0.3, 1.2, 0.7, 0.4])


# Ranges ------------------------------------------------------------------------------------------


def reversed_range(x, n):
    s = 0.0
    for i in reversed(range(n)):
        s = s * x[i] + x[i]
    return s


def range_with_step(x, n):
    s = 1.0
    for i in range(n, 0, -2):
        s = s * x[i] + x[i - 1]
    return s


def reversed_range_with_step(x, n):
    s = 1.0
    for i in reversed(range(0, n, 2)):
        s = np.sin(s) * x[i] + x[i + 1] * s
    return s


def step_that_is_given(x, step):
    s = 1.0
    for i in range(0, 5, step):
        s = np.sin(s) * x[i]
    return s


def in_place_backwards(x, n):
    y = x.copy()
    for i in reversed(range(n - 1)):
        y[i] = y[i] * y[i + 1]
    return np.sum(y * y)


def in_place_by_step(x, n):
    y = x.copy()
    for i in range(n - 1, 0, -1):
        y[i] = y[i - 1] * y[i] + np.sin(y[i])
    return np.sum(y * y)


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (reversed_range, (V, 4)),
        (range_with_step, (V, 4)),
        (reversed_range_with_step, (V, 4)),
        (step_that_is_given, (V, 2)),
        (in_place_backwards, (V, 5)),
        (in_place_by_step, (V, 5)),
    ],
)
def test_ranges(monkeypatch: pytest.MonkeyPatch, function: Any, args: Any) -> None:
    check(monkeypatch, function, *args)


# Variables that get their first value in a loop or a branch ---------------------------------------


def loop_variable_afterwards(x, n):
    for i in range(n):
        x = x * 1.5
    return x * i


def loop_variable_before_and_afterwards(x, n):
    i = 7
    for i in range(n):
        x = np.sin(x) + i
    return x * i


def loop_variable_assigned(x, n):
    for i in range(n):
        x = np.sin(x) + i
        i = 2 * i + 1
    return x * i


def loop_variable_of_nested_loops(x, n):
    s = 0.0
    for i in range(n):
        for j in range(i + 1):
            s = s + np.sin(x * j)
        s = s * j + i * x
    return s * i


def first_value_in_a_loop(x, n):
    for i in range(n):
        y = x * x + i
    return np.sin(y)


def first_value_in_a_certain_loop(x):
    for i in range(3):
        y = x * x + i
        x = x + y
    return np.sin(y) * i


def first_value_in_a_branch(x, n):
    if n > 2:
        y = x * x
    z = 3.0 * x
    if n > 2:
        z = z * y
    return z


def value_of_the_iteration_before(x, n):
    s = 0.0
    for i in range(n):
        if i > 0:
            s = s + last * x  # noqa: F821
        last = np.sin(x + i)
    return s


def set_in_some_iterations(x, n):
    s = 0.0
    for i in range(n):
        if i % 2 == 0:
            held = np.sin(x * (i + 1))
        s = s + held * held * x
    return s


def set_in_an_inner_loop(x, n):
    s = 0.0
    for i in range(n):
        for j in range(i):
            held = np.sin(x + i + j)
        if i > 0:
            s = s * x + held * held
    return s


def pair_in_a_branch(x, flag):
    if flag:
        pair = (x, np.sin(x))
    else:
        pair = (x * x, 2.0)
    return pair[0] * pair[1]


def array_in_a_branch(x, flag):
    if flag:
        y = x * x
        y[0] = np.sin(x[1])
    if flag:
        return np.sum(y * y)
    return np.sum(x)


def jumps_out(x, n):
    for i in range(n):
        y = x * i
        if i == 1:
            continue
        x = x + np.sin(y)
    return x * y


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (loop_variable_afterwards, (0.7, 4)),
        (loop_variable_before_and_afterwards, (0.7, 4)),
        (loop_variable_before_and_afterwards, (0.7, 0)),
        (loop_variable_assigned, (0.7, 4)),
        (loop_variable_of_nested_loops, (0.7, 4)),
        (first_value_in_a_loop, (0.7, 3)),
        (first_value_in_a_loop, (V[2], 1)),
        (first_value_in_a_certain_loop, (0.7,)),
        (first_value_in_a_branch, (0.7, 3)),
        (first_value_in_a_branch, (0.7, 1)),
        (value_of_the_iteration_before, (0.7, 4)),
        (array_in_a_branch, (V, True)),
        (array_in_a_branch, (V, False)),
        (set_in_some_iterations, (0.7, 5)),
        (set_in_an_inner_loop, (0.7, 5)),
        (pair_in_a_branch, (0.7, True)),
        (pair_in_a_branch, (0.7, False)),
        (jumps_out, (0.7, 4)),
    ],
)
def test_first_values(monkeypatch: pytest.MonkeyPatch, function: Any, args: Any) -> None:
    check(monkeypatch, function, *args)


def test_a_variable_without_a_value_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the function itself does: the variable is read in the forward sweep."""
    monkeypatch.setattr(takeover, "ENABLED", True)
    for function in (first_value_in_a_loop, loop_variable_afterwards):
        takeover.REASONS.clear()
        for derivative in (grad(function), value_and_grad(function)):
            with pytest.raises(UnboundLocalError):
                derivative(0.7, 0)
        assert not takeover.REASONS
