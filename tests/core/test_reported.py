"""What users reported of other tools, written as they would write it for this one."""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.differences import check

X = np.array([[0.3, 1.7, -0.2], [1.0, 2.0, 3.0]])


def places_taken_apart(x):
    i, j = np.where(x > 0.2)
    return np.sum(x[i, j] ** 2)


def places_as_a_whole(x):
    found = np.where(x * x > 0.2)
    return np.sum(x[found] * found[0]) + np.sum(x[found[0], found[1]] ** 2)


def places_of_a_vector(x):
    (i,) = np.where(x[0] > 0.2)
    for k in np.where(x[1] > 1.5)[0]:
        x = x * x[1, k]
    return np.sum(x[0][i] ** 2)


def places_that_are_written_to(x):
    y = x * 2
    y[np.where(y > 1.0)] *= x[0, 0]
    return np.sum(y**2)


def chosen_of_an_array(x):
    return np.sum(np.choose([0, 1, 0], x * 2) ** 2) + np.sum(x)


def selected_of_an_array(x):
    return np.sum(np.select([x[0] > 0.0, x[1] > 0.0], 3 * x) ** 2)


def multiplied_of_an_array(x):
    parts = np.stack([x @ x.T, x @ x.T])
    return np.linalg.multi_dot(-parts)[0, 1]


def of_its_own_class(x):
    rows = [x[0], x[1] * 2]
    return np.sum(type(rows)(v * v for v in rows)[1])


def mapped(function, *trees):
    first = trees[0]
    if isinstance(first, dict):
        return {k: mapped(function, *(tree[k] for tree in trees)) for k in first}
    if isinstance(first, (list, tuple)):
        return type(first)(mapped(function, *parts) for parts in zip(*trees))
    return function(*trees)


def tree_of_parts(x):
    tree = {"a": [x[0], x[1, 1]], "b": (x[1], {"c": x[0, 2]})}
    twice = mapped(lambda v: v * 2, tree)
    both = mapped(lambda v, w: v * w + 1, tree, twice)
    return np.sum(both["a"][0]) * both["a"][1] + np.sum(both["b"][0]) * both["b"][1]["c"]


@pytest.mark.parametrize(
    "function",
    [
        *(places_taken_apart, places_as_a_whole, places_of_a_vector, places_that_are_written_to),
        *(chosen_of_an_array, selected_of_an_array, multiplied_of_an_array),
        *(of_its_own_class, tree_of_parts),
    ],
)
def test_agrees(monkeypatch, function):
    check(monkeypatch, function, X)
