"""What the result does not depend on has no adjoint, also where memory is shared and exchanged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autodiff import grad
from tests.core.judge import Verdict, core_alone, judge
from tests.core.random_memory import judged

POINTS = [(0.7, np.array([0.4, 1.3, 0.7]), 2), (1.2, np.array([0.4, -1.3, 0.7]), 0)]


def useless_memory_beside_useful(x, a, n):
    w = a * x
    v, z = w[1:], a * 2.0
    for _ in range(n):
        z[0] *= w[1]
        v[0] *= x
        z = z * z
    return np.sum(w)


def useless_list_of_useful_items(x, a, n):
    items, other = [a * x, a * 2.0], []
    for i in range(n):
        items[i][0] *= x
        other.append(items[i] * x)
        other[i][0] = x
    return np.sum(items[0])


def useful_by_exchange(x, a, n):
    u, w, z = a * x, a * 2.0, a * a
    for _ in range(n):
        u, w, z = w, u, z * w
        u[0] *= x
    return np.sum(u)


def useful_item_under_another_name(x, a, n):
    items = [a * x, a * 2.0]
    dead = items[1]
    for i in range(n):
        items[i][0] *= x
        dead[1] *= x
    return x * np.sum(items[0])


def item_that_is_changed_elsewhere(x, a, n):
    items = []
    for i in range(n + 1):
        w = a * x
        items.append(w)
        w[0] = x * i
    b = items[0]
    b[1] = x * x
    return np.sum(items[-1])


def overflow_that_nobody_needs(x, a, n):
    z = a * 1.0
    for _ in range(3):
        z *= 1e200 * x
    z = np.exp(z) * z
    return np.sum(a) * x


@pytest.mark.parametrize(
    "function",
    [
        *(useless_memory_beside_useful, useless_list_of_useful_items, useful_by_exchange),
        *(useful_item_under_another_name, item_that_is_changed_elsewhere),
        overflow_that_nobody_needs,
    ],
    ids=lambda f: f.__name__,
)
def test_right(function: Callable[..., Any]) -> None:
    assert judge(function, POINTS, ("x", "a")) == Verdict("right")


def test_no_shadow_of_what_nobody_needs() -> None:
    with core_alone():
        text = grad(useless_list_of_useful_items, wrt=("x", "a")).source_for(*POINTS[0])
    assert "items_bar" in text
    assert "other_bar" not in text


def test_a_random_program_with_an_overflow(tmp_path: Path) -> None:
    assert judged(7166, tmp_path) == Verdict("right")
