"""Derivatives of derivatives of whole functions: with what is around these, and in lists."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from autodiff import grad, jvp
from tests.core.differences import check as first_order
from tests.core.test_second_order import V, X, check, through_core

__all__ = ["through_core"]

HELD = np.ones(4)
SETTINGS = {"rate": 0.3, "steps": [1.0, 2.0]}


@dataclass
class Model:
    weights: Any
    bias: float

    def value(self, x):
        self.bias = self.bias + x[0]
        return np.sum(np.tanh(self.weights * x) + self.bias**2)


def of_an_object(x):
    model = Model(x * x, 0.5)
    return model.value(x) * model.bias


def stored_outside(x):
    HELD[:] = x * x
    HELD[0] = HELD[1] * x[2]
    return np.sum(HELD**2)


def of_a_table(x):
    return SETTINGS["rate"] * np.sum(x**3) * SETTINGS["steps"][-1]


def in_place(x):
    x[0] = x[1] * x[2]
    x *= x[::-1].copy()
    return np.sum(x**2)


def helper(x, k):
    y = np.sin(x) * k
    z = y * y + x
    w = np.exp(-z * z) + np.cos(y) * z
    return w * w + np.tanh(w) * y


def called_twice(x):
    return np.sum(helper(helper(x, 2.0), 3.0))


def sums_of_lists(x):
    items = []
    for k in range(len(x)):
        items.append(x[k] ** 2 * k)
    first = sum(items) * sum([x[0] * x[1], np.sin(x[2]), x[3] ** 3])
    items[1] = first * x[0]
    items.pop()
    return sum(items) ** 2


def of_starred_items(x):
    values = [v * v for v in x]
    return np.sum(np.array([1, *values, x[2]]) ** 2 * np.arange(6))


def extrema_of_lists(x):
    items = [x[0] * x[1]]
    for k in range(3):
        items.append(x[k] * x[k + 1] + items[-1])
    best = max(items) * min(x[0] ** 2, x[1] ** 2, x[2] ** 2)
    items[0] = best
    return best * max(items) + math.dist([x[0], x[1]], [x[2] ** 2, x[3]])


def popped_in_a_test(x):
    items = [x[0], x[1] * 2, x[2]]
    total = x[0]
    while items and items.pop() > -5.0:
        total = total + np.sum(items) * x[0] if items else total
    return total


def chosen_numbers(x):
    total = 0.0
    for v in x:
        root = np.sqrt(v) if v > 0.5 else v * v
        total = total + root / (1.0 + total * total) if v > 0.0 else total * v
    return total


def views_found_later(x):
    y = (x * x).reshape(2, 2).T.reshape(-1)
    y[0] = x[1] ** 3
    z = np.asarray(y)
    z[1] = y[0] * x[2]
    return np.sum(y**2)


@pytest.mark.parametrize(
    "function",
    [
        *(of_an_object, stored_outside, of_a_table, in_place, called_twice, sums_of_lists),
        *(of_starred_items, extrema_of_lists, popped_in_a_test, chosen_numbers),
        views_found_later,
    ],
)
def test_functions(function):
    check(function, X.copy(), V)


def exchanged(x):
    rows = []
    for k in range(3):
        rows.append(np.array([x[0] * k, x[1] * x[2], x[3]]))
    total = sum(rows)
    rows[1] = total * x[0]
    second = sum(rows)
    rows[0][1] = x[2] ** 2
    rows[2] *= total
    return np.sum(total * second) + np.sum(sum(rows) * total)


def test_arrays_exchanged_in_lists(monkeypatch):
    """What a list held has the adjoints of that, and its tangents change with its items."""
    first_order(monkeypatch, exchanged, X)
    slope = jvp(exchanged, (X,), (V,))[1]
    np.testing.assert_allclose(slope, grad(exchanged)(X) @ V)
    check(exchanged, X, V)
