"""Elements are looked up once, and adjoint memory that only passes something on is left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autodiff import grad
from tests.core.differences import check

X = np.array([0.7, 1.3, 0.4, 0.9])


def looked_up(x: Any, n: int) -> Any:
    u = x.copy()
    w = x.copy()
    for _ in range(n):
        for i in range(1, len(u) - 1):
            w[i] = u[i] - 0.1 * u[i] * (u[i] - u[i - 1]) + 0.2 * (u[i + 1] - 2 * u[i] + u[i - 1])
        for i in range(1, len(u) - 1):
            u[i] = w[i]
    return np.sum(u**2)


def written_in_between(x: Any, n: int) -> Any:
    u = x.copy()
    t = 0.0
    for i in range(1, n):
        y = u[i] * u[i - 1]
        u[i - 1] = y * u[i]
        t += y * u[i - 1] * u[i]
    return t


def by_an_alias(x: Any, n: int) -> Any:
    u = x.copy()
    v = u[1:]
    t = 0.0
    for i in range(n):
        y = u[i + 1] * u[i + 1]
        v[i] = y * u[i]
        t += y * u[i + 1] * v[i]
    return t


def from_the_end(x: Any, n: int) -> Any:
    u = x.copy()
    t = 0.0
    for i in range(n):
        y = u[i - 1] * u[i - 1]
        u[-1] = y * u[i]
        t += y * u[i - 1] * u[-1]
    return t


def in_a_branch(x: Any, n: int) -> Any:
    u = x.copy()
    t = 0.0
    for i in range(n):
        y = u[i] * u[i]
        if u[i] > 0.8:
            u[i] = y
        t += y * u[i] * u[i]
    return t


def gated(x: Any, n: int) -> Any:
    h = np.zeros((n + 1, len(x)))
    g = np.zeros((n, len(x)))
    h[0] = x
    for t in range(n):
        g[t] = np.tanh(h[t])
        h[t + 1] = h[t] * g[t]
    return h, g


def passed_on(x: Any, n: int) -> Any:
    h, _ = gated(x, n)
    return np.sum(h[n])


def passed_on_and_kept(x: Any, n: int) -> Any:
    h, g = gated(x, n)
    return np.sum(h[n]) + np.sum(g[0] ** 2)


def cleared_where_it_is_read(x: Any, n: int) -> Any:
    u = x.copy()
    g = np.zeros((n, len(x)))
    for t in range(n):
        g[t] = np.tanh(u)
        u[:] = g[t]
    return np.sum(u * x)


def overwritten_at_another_place(x: Any, n: int) -> Any:
    g = np.zeros((n + 1, len(x)))
    y = x
    for t in range(n):
        g[t + 1] = np.sin(y)
        y = g[t] * y + g[t + 1]
    return np.sum(y)


def in_the_body(x: Any, n: int) -> Any:
    b = x.copy()

    def moved() -> Any:
        b[0] = b[0] * b[1]
        return b[1]

    values = [moved() * v for v in b]
    pair = [b[0] * moved() * w * b[0] for w in (1.0, 2.0)]
    return sum(values) * pair[0] + n * pair[1]


@pytest.mark.parametrize(
    "f",
    [
        looked_up,
        in_the_body,
        written_in_between,
        by_an_alias,
        from_the_end,
        in_a_branch,
        passed_on,
        passed_on_and_kept,
        cleared_where_it_is_read,
        overwritten_at_another_place,
    ],
    ids=lambda f: f.__name__,
)
def test_numbers(f: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, f, X, 3)


def test_text() -> None:
    text = grad(looked_up).source_for(X, 3)
    assert text.count("u_i = u[i]\n") == 1
    assert text.count("u_bar[i - 1] +=") + text.count("u_bar[i - 1] -=") == 1
    assert "g_bar" not in grad(passed_on).source_for(X, 3)
    assert "g_bar" in grad(passed_on_and_kept).source_for(X, 3)


def test_the_reverse_sweep_begins_behind_what_is_looked_up_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def f(x: Any) -> Any:
        u = x.copy()
        y = u[0] * u[1] + u[0] * np.sin(u[0])
        u[0] = y
        z = u[0] * u[1] * u[0]
        u[1] = z
        return u[0] * u[1] * z

    check(monkeypatch, f, X)
