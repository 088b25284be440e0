"""Small programs that once were wrong: each shows one claim about memory that did not hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.core.judge import judge
from tests.core.random_memory import points

PROGRAMS: list[Callable[..., Any]] = []


def found(function: Callable[..., Any]) -> Callable[..., Any]:
    """A program of two numbers, two vectors, a matrix and a count."""
    PROGRAMS.append(function)
    return function


# What a pullback gives out, and what it is called with again ------------------------------------


@found
def shadow_that_no_sweep_changes(x, y, a, b, m, n):
    m[1] += b
    return y


@found
def value_that_the_pullback_reads(x, y, a, b, m, n):
    a[0] *= y
    return x, a * b, a


@found
def shadow_read_through_a_view(x, y, a, b, m, n):
    v = b.copy()
    for _ in range(2, 1, 1):
        v[1:] += 0.5
        v = b
    return v[:1]


@found
def shadow_on_the_tape(x, y, a, b, m, n):
    v = m[1]
    if y > -1.0:
        w = v * x
        w[0] = v[1] * v[0]
        a[:] = np.sin(w)
    return a


@found
def transposed_adjoint(x, y, a, b, m, n):
    for _ in range(1, 3):
        m += 0.3
        b -= np.sum(m.T)
    return x * np.sum(m) + b[0]


# What the reverse sweep reads -------------------------------------------------------------------


@found
def result_that_is_changed_after_its_birth(x, y, a, b, m, n):
    v = np.tanh(a)
    a[:2] *= v.sum()
    v[::2] *= 0.5
    return np.sum(a)


@found
def exchange_that_only_a_test_asks_for(x, y, a, b, m, n):
    p = 0.5
    if y:
        for _ in range(n):
            for _ in range(2):
                if y:
                    continue
                b[2] = 0.5 * x
            p, y = y, p
    return b[2] + p


@found
def element_before_that_counts_from_the_end(x, y, a, b, m, n):
    s = 0.0
    for i in range(3):
        s = s + np.sin(a[i - 1]) * x
        a[i] = s * s
    return s


@found
def element_behind_that_counts_from_the_end(x, y, a, b, m, n):
    s = 0.0
    for i in range(-1, 2):
        s = s + np.sin(a[i]) * x
        a[i + 1] = s * s
    return s


@found
def window_that_moves(x, y, a, b, m, n):
    s = 0.0
    for i in range(1, -1, -1):
        v = a[i:]
        for _ in range(2):
            s = s + np.sin(v[0]) * x
        v[1] = s * 2.0
    return s


@found
def memory_of_the_iteration_before(x, y, a, b, m, n):
    before = b * 1.0
    s = 0.0
    for i in range(3):
        w = np.sin(a * x)
        for j in range(3):
            s = s + w[j] * w[j] * x
        before[0] = 0.1 * s
        before = w
        a[i] = s
    return s


@found
def adjoints_merged_across_a_write(x, y, a, b, m, n):
    w = m[1]
    for _ in range(1):
        x = 0.5 if a[2] else b.sum()
    if np.sum(a):
        h = w[1]
        a[1:] += h * a[:-1] * x
        y = x + a[2] * h
    return y


@found
def memory_found_again_in_a_list(x, y, a, b, m, n):
    for item in [a, a]:
        item[1] = 0.5 * item[0]
    return a


def _smoothed(v: Any, s: Any) -> Any:
    w = v * s
    w[0] = v[1]
    return w


@found
def buffer_added_to_one_that_is_made_later(x, y, a, b, m, n):
    p = a
    v = a - b
    a = _smoothed(a, p)
    b = _smoothed(v, x)
    return np.sum(a)


# What the primal does ---------------------------------------------------------------------------


def _writes(p: Any, v: Any) -> Any:
    v[2] = p
    return p * 2


@found
def element_read_before_its_update(x, y, a, b, m, n):
    a[2] -= _writes(x, a)
    return a


@found
def alias_of_the_iteration_before(x, y, a, b, m, n):
    v = b * 1.0
    s = x
    for _ in range(3):
        s = s + np.sum(a)
        v[0] = s * 0.1
        s = s * np.sum(a)
        v = a
    return s


@found
def variable_bound_in_an_inner_loop(x, y, a, b, m, n):
    for i in range(3):
        for j in range(2):
            w = a * x
            a[i] = w[j]
    return np.sum(a)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_found(function: Callable[..., Any]) -> None:
    for wrt in ("xyabm", "xya", "b"):
        verdict = judge(function, points(), tuple(wrt))
        assert verdict.what == "right", (wrt, verdict.why)


def row_from_another_step(x, y, a, b, m, n):  # NumPy's result depends on its order there
    m.T[2] = m[1]
    return np.sum(m)


def test_rows_with_other_steps_are_checked() -> None:
    found = judge(row_from_another_step, points(), tuple("xyabm"))
    assert found.what == "crash"
    assert "ValueError" in found.why
    assert "different steps" in found.why


def test_rows_with_the_same_step_are_taken() -> None:
    def shifted(x, y, a, b, m, n):
        a[1:] = a[:-1]
        return np.sum(a) * x

    assert judge(shifted, points(), tuple("xyabm")).what == "right"
