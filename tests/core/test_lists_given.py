"""Lists that functions of NumPy are given, of which they make arrays."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.core.differences import check

X = np.array([0.3, 0.5, 0.9])


def of_arrays(x, a):
    both = [x, a * x]
    first = np.average(both, weights=(1.0 + x * x, both[1] + 2.0))
    both[0] = x * x  # the list changes afterwards
    return first * np.linalg.norm(tuple(both)) + np.linalg.norm([x[:2], x[1:]])


def joined_not_stacked(x, a):
    return np.sum(np.block([x, x * a]) * np.arange(6.0))


def grown(x, a):
    items = []
    for v in x:
        items.append(v * v)
    alias = items
    total = np.sum(np.append(items, alias) * np.arange(6.0))
    alias[0] = x[1]
    return total + np.sum(np.add.outer(items, x) * np.multiply.outer(a, items))


def nested(x, a):
    rows = [[x[0] + 3.0, 0.1], [0.1, 2.0]]
    return np.linalg.cholesky(rows)[1, 1] * np.linalg.solve(rows, [x[1], 1.0])[0]


def by_path(x, a):
    items = x.tolist() if x[0] > 0.0 else [1.0, 2.0]
    return math.dist(items, a * x) + math.dist(x * a, [1.0, 2.0, 1.0]) + np.sum(np.cumsum(items))


def spaced(x, a):
    table = np.outer(x, a)
    slopes = np.gradient(table, [0.0, x[0], 2.5], [0.0, 1.0, 2.2], edge_order=2)
    return np.sum(slopes[0] * slopes[1])


def places(x, a):
    table = np.outer(x, a)
    return np.einsum(table, [0, 0]) * np.einsum(x, [0], a, [0])


def split(x, a):
    left, right = np.split(np.outer(x, a[:2]), axis=1, indices_or_sections=2)
    return np.sum(np.sin(left) * right)


PROGRAMS = [of_arrays, joined_not_stacked, grown, nested, by_path, spaced, places, split]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_right(monkeypatch, function):
    check(monkeypatch, function, X, np.array([0.7, 1.2, -0.4]))
