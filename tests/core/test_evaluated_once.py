"""What stands in brackets is computed once, whatever it does besides."""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.differences import check


def popped(x):
    places, items = [2, 1, 0], [x[0], x[1], x[2]]
    return items[places.pop()] * len(places)


def drawn(x):
    places, items = iter([0, 1, 2, 1, 1]), (x[0], x[1], x[2])
    return items[next(places)] * items[next(places)]


def with_effects(x):
    items = [x[0], x[1], x[2]]

    def place():
        x[3] *= 2
        return 1

    return items[place()] * x[3]


def counted(x):
    k = 0

    def following():
        nonlocal k
        k += 1
        return k

    items = [x[0], x[1], x[2]]
    items[following() - 1] *= 2
    items[k] += items[following()] * k
    return items[0] * items[1]


def keys(x):
    table, letters = {"a": x[0], "b": x[1], "c": x[2]}, iter("abcde")
    table[next(letters)] = x[3] * x[1]
    table[next(letters)] += x[3]
    return table["a"] + table["b"] * table["c"]


def deleted(x):
    places, items = [2, 1, 0], [x[0], x[1], x[2]]
    del items[places.pop()]
    return items[0] * items[1] * len(places)


def function_at(x):
    calls = [0]

    def place():
        calls[0] += 1
        return calls[0]

    return [np.sin, np.cos, np.exp][place()](x[0]) * calls[0]


def exchanged(x):
    places, items = iter([0, 1, 2]), [x[0] * 1, x[1], x[2]]
    items[next(places)], items[next(places)] = items[next(places)], x[3]
    return items[0] * items[1]


def part_of_a_list(x):
    places, items = iter([1, 3, 0]), [x[0], x[1], x[2], x[3]]
    items[next(places) : next(places)] += [x[0] * x[3]]
    return sum(items[next(places) :]) * items[-1]


class Cell:
    def __init__(self, value):
        self.value = value


def attribute_of_what_is_called(x):
    made = []

    def cell():
        made.append(Cell(x[0] * len(made)))
        return made[-1]

    cell().value += x[1]
    cell().value *= x[2]
    return sum(each.value for each in made) * len(made)


@pytest.mark.parametrize(
    "function",
    [
        *(popped, drawn, with_effects, counted, keys, deleted, function_at, exchanged),
        *(part_of_a_list, attribute_of_what_is_called),
    ],
    ids=lambda f: f.__name__,
)
def test_once(monkeypatch, function):
    check(monkeypatch, function, np.array([0.73, -1.43, 2.37, 0.81]))
