"""What users reported of other tools, written as they would write it for this one."""

from __future__ import annotations

from enum import Enum

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


def orthogonal_to_those_before(x):
    found = []
    for row in x[:, ::2]:
        v = row.copy()
        for q in found:
            v -= (q @ row) * q
        found.append(v / np.sqrt(v @ v))
    return found[1][0] * 2 + found[0][1]


def numbers_of_those_before(x):
    found = []
    for k in range(x.shape[1]):
        v = x[0, k] * 1.0
        if found:
            v = v * found[-1]
        for q in found:
            v = v - q * v
        found.append(v)
    return found[-1] + len(found) * found[0]


def kept_as_long_as(x):
    kept, total = [], x[0, 1]
    while total < 20.0:
        for q in kept:
            total = total + q * x[1, 0]
        kept.append(total * x[1, 1])
        total = total + 1.5
    return total + sum(kept)


def emptied_in_between(x):
    found, total = [], 0.0
    for k in range(len(x)):
        for q in found:
            total = total + q * x[k, 0]
        if k == 1:
            found.clear()
        found.append(x[k, 1] ** 2)
    return total + len(found) * x[0, 0]


class Act(Enum):
    RELU = "relu"
    TANH = "tanh"

    def __call__(self, x):
        return np.maximum(x, 0.0) if self is Act.RELU else np.tanh(x)

    def slope(self, x):
        return x * 2 if self == Act.RELU else x * x


def members_in_a_loop(x):
    for act in Act:
        x = act(x) + act.slope(x) * 0.1
        if act is not Act.TANH:
            x = x * 1.5
    return np.sum(x) if Act("tanh") is Act.TANH else 0.0


def member_given(x, act=Act.TANH, other=Act.RELU):
    if act is other:
        return np.sum(x)
    return np.sum(x**3) if act == Act.TANH and other is not Act.TANH else np.sum(x**2)


def table_by_texts(x):
    table = {}
    for k in range(x.shape[0]):
        table["row" + str(k) + "_" + str(k + 1)] = x[k]
    return np.sum(table["row0_1"] * table["row1_2"])


def table_by_places(x):
    table = {}
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            near = [table[key] for key in ((i - 1, j), (i, j - 1)) if key in table]
            table[i, j] = x[i, j] * (sum(near) if near else 1.0)
            if (j, i) not in table:
                table[i, j] = table[i, j] + x[0, 0]
    return table[1, 2]


def remembered_by_places(x):
    memo = {}

    def paths(i, j):
        if (i, j) in memo:
            return memo[i, j]
        found = x[i, j] if i == 0 or j == 0 else x[i, j] * paths(i - 1, j) + paths(i, j - 1)
        memo[i, j] = found
        return found

    return paths(1, 2) * len(memo)


@pytest.mark.parametrize(
    "function",
    [
        *(places_taken_apart, places_as_a_whole, places_of_a_vector, places_that_are_written_to),
        *(chosen_of_an_array, selected_of_an_array, multiplied_of_an_array),
        *(of_its_own_class, tree_of_parts, orthogonal_to_those_before, numbers_of_those_before),
        *(
            kept_as_long_as,
            emptied_in_between,
            table_by_texts,
            table_by_places,
            *(remembered_by_places, members_in_a_loop, member_given),
        ),
    ],
)
def test_agrees(monkeypatch, function):
    check(monkeypatch, function, X)
