"""Paths that Core does not take are left out; whoever comes by there gets the refusal."""

from __future__ import annotations

import copy
import os
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, grad, jvp, value_and_grad, vjp
from autodiff.pipeline import compiler

X = np.array([0.7, -1.3, 0.4])


def unread(x):
    return np.asarray(memoryview(np.atleast_1d(x)))


def inner(x, k):
    if k > 3:
        return unread(x) * 2.0
    return x * k


def in_a_helper(x, k):
    return np.sum(inner(x, k) ** 2)


def in_a_loop(x, k):
    total = 0.0
    for i in range(k):
        if i == 4:
            total = total + unread(x[0])[0]
        else:
            total = total + x[i % 3] * x[0]
    return total


def both(x, k):
    if k > 3:
        y = unread(x)
    else:
        y = unread(2.0 * x)
    return np.sum(y * x)


def where_one_raises(x, k):
    if k > 3:
        y = unread(x)
    elif k < 0:
        raise ValueError("negative")
    else:
        y = x * 3.0
    return np.sum(y * x)


def changes_its_argument(x, k):
    x[0] = x[0] * 2.0
    if k > 3:
        x[1] = unread(x[0])[0]
    return np.sum(x * x)


def caught(x, k):
    try:
        y = unread(x) if k > 3 else x * 2.0
    except Exception:
        y = x
    return np.sum(y * x)


def stores_outside(x, k):
    if k > 7:
        return random.gauss(x[0], 1.0)  # which keeps a number for the next call
    return np.sum(x * x)


def differences(f: Callable[..., Any], k: int) -> Any:
    return np.array([(f(X + 1e-6 * e, k) - f(X - 1e-6 * e, k)) / 2e-6 for e in np.eye(len(X))])


@pytest.mark.parametrize(
    "f", [in_a_helper, in_a_loop, where_one_raises, changes_its_argument, stores_outside]
)
def test_what_is_not_reached(f: Callable[..., Any]) -> None:
    compiler.REASONS.clear()
    derivative = grad(f)
    np.testing.assert_allclose(derivative(X.copy(), 2), differences(f, 2), atol=1e-6)
    assert any("left out" in reason for reason in compiler.REASONS)
    assert "raise Untaken" in derivative.source_for(X, 2)
    assert any(after == "lower" for after, _ in derivative.stages())
    value, gradient = value_and_grad(f)(X.copy(), 2)
    assert value == pytest.approx(f(X.copy(), 2))
    value, pullback = vjp(lambda x: f(x, 2), X.copy())
    np.testing.assert_allclose(pullback(1.0)[0], gradient)
    found = jvp(lambda x: f(x, 2), (X.copy(),), (np.ones(3),))
    assert found[1] == pytest.approx(np.sum(gradient))


@pytest.mark.parametrize(
    "f",
    [
        *(in_a_helper, in_a_loop, where_one_raises, changes_its_argument, both),
        pytest.param(caught, marks=pytest.mark.followed),
    ],
)
def test_what_is_reached(f: Callable[..., Any]) -> None:
    with pytest.raises(AutodiffError, match="memoryview"):
        grad(f)(X.copy(), 6)


def test_errors_of_the_user() -> None:
    with pytest.raises(ValueError, match="negative"):
        grad(where_one_raises)(X, -1)


def test_nothing_is_left_where_all_paths_are() -> None:
    compiler.REASONS.clear()
    with pytest.raises(AutodiffError):
        grad(both)(copy.copy(X), 2)
    assert not any("left out" in reason for reason in compiler.REASONS)


def told_by_sizes(x):
    if all([v > 0.0 for v in x]) and [i for i in range(3) if x[i] > 1.0] == [1]:
        return x[0] * x[1]
    return x[2]


def test_sizes_are_not_told_while_it_runs() -> None:
    for x in (np.array([0.7, 1.3, 0.4]), X):
        expected = [(told_by_sizes(x + h) - told_by_sizes(x - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
        np.testing.assert_allclose(grad(told_by_sizes)(x), expected, atol=1e-6)


SCALE = [1.5]
WORD = "a"


class Options:
    table = {"a": 2.0}  # noqa: RUF012


def by_a_variable_of_the_system(x):
    found = os.environ.get("AUTODIFF_NOT_THERE")
    if found is not None:
        found = found.real.imag()
    return x * SCALE[0] * Options.table[WORD]


def test_calls_of_what_is_found_when_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    derivative = grad(by_a_variable_of_the_system)
    assert derivative(0.3) == 3.0
    monkeypatch.setenv("AUTODIFF_NOT_THERE", "a")
    with pytest.raises(AutodiffError, match="calls what is found when it runs"):
        derivative(0.3)
