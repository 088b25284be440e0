"""What a call is remembered by tells apart whatever a derivative is compiled for."""

from __future__ import annotations

import functools
import itertools
import math
from collections import OrderedDict, namedtuple
from dataclasses import dataclass
from enum import Enum
from types import SimpleNamespace

import numpy as np

from autodiff import grad
from autodiff.kinds.arguments import kinds_of
from autodiff.kinds.call_key import call_key, is_plain


def deep(depth, leaf):
    return leaf if depth == 0 else [deep(depth - 1, leaf)]


@dataclass
class Point:
    x: object
    y: object = 1.0


@dataclass(slots=True)
class Slotted:
    x: object


class Number(float):
    pass


class Letter(Enum):
    A = 1
    B = 2


class Node:
    """Linked both ways: many paths through few objects."""

    def __init__(self, parent=None, depth=3):
        self.parent = parent
        self.children = [Node(self, depth - 1) for _ in range(8)] if depth else []


Pair = namedtuple("Pair", "x y")
ROUND: list = [1.0]
ROUND.append(ROUND)
ONES = np.ones(3)
VALUES = [
    1, True, 1.0, 1j, None, "a", "b", np.sin, len, abs, grad, call_key,
    np.float64(1), np.float32(1), np.int64(1), np.bool_(True), np.complex128(1),
    ONES, np.ones((3, 1)), np.ones(4), np.ones(3, int), np.ones(3, np.float32), np.ones(0),
    np.ones(3, ">f8"), [], (), {}, [1.0], (1.0,), [1], [[1.0]], ([1.0],), [ONES], [ONES, ONES],
    [ONES, np.ones(4)], {"a": 1.0}, {"b": 1.0}, {"a": ONES}, {"a": 1}, {1: 1.0}, {1.5: 1.0},
    {"a": {"a": 1.0}}, [1.0] * 40, [1.0] * 39 + [1], ("a",), [None], SimpleNamespace(a=1.0),
    deep(6, 1.0), deep(7, 1.0), deep(8, 1.0), deep(9, 1), ROUND, range(3), set(),
    SimpleNamespace(a=1), SimpleNamespace(b=1.0), Point(1.0), Point(1), Point(ONES),
    Point(1.0, ONES),
    Point("a"), Point(Point(1.0)), Slotted(1.0), Slotted(ONES), Slotted(np.ones(4)), Number(1.0),
    Letter.A, Letter.B, Pair(1.0, 2.0), Pair(1, 2.0), OrderedDict(a=1.0), OrderedDict(b=1.0),
    functools.partial(deep, 1), functools.partial(deep, 2), [].append, Point(math), math, np, Point,
    Node(), Point(Node()), np.float64, np.dtype(float), slice(1), slice(2), np.ma.array([1.0]),
]  # fmt: skip
CALLS = [(a,) for a in VALUES] + list(itertools.product(VALUES[::2], VALUES[1::2]))


def test_equal_keys_of_plain_arguments_mean_equal_kinds():
    remembered = {}
    for args in CALLS:
        if all(map(is_plain, args)):
            kinds = kinds_of(args)
            assert remembered.setdefault(call_key(args), kinds) == kinds, args
    for args in CALLS:
        if not all(map(is_plain, args)):
            assert call_key(args) not in remembered, args


def test_most_values_are_plain():
    assert sum(map(is_plain, VALUES)) > 50
    assert is_plain(Point(1.0, ONES))
    assert not is_plain(ROUND)
    assert not is_plain(Node())
    assert not is_plain(functools.partial(deep, 1))


def same(x):
    return x


def square(x):
    return x * x


def choose(items, mode, f=same):
    total = items[0] * 2.0 if mode == "twice" else items[0] * 3.0
    return np.sum(f(total))


def test_calls_of_one_class_and_other_content_are_told_apart():
    derivative = grad(choose)
    for _ in range(2):  # compiled, then from the memo
        assert derivative([0.5], "twice") == [2.0]
        assert derivative([0.5], "thrice") == [3.0]
        assert derivative([0.5], "twice", square) == [4.0]
        assert derivative([0.5], "twice", np.exp) == [2.0 * np.exp(1.0)]
        assert derivative((0.5,), "twice") == (2.0,)
        np.testing.assert_array_equal(derivative(np.array([0.5, 1.0]), "twice"), [2.0, 0.0])
        assert derivative([np.float64(0.5), np.float32(7)], "twice") == [2.0, 0.0]


def energy(p, x):
    return np.sum(p.x * x * x)


def test_calls_with_objects_are_remembered_until_an_attribute_has_another_kind():
    derivative = grad(energy, wrt="x")
    point = Point(2.0)
    for factor in (2.0, 3.0):
        point.x = factor
        np.testing.assert_array_equal(derivative(point, ONES), 2.0 * factor * ONES)
    assert len(derivative._memo) == 1
    point.x = np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(derivative(point, ONES), [2.0, 4.0, 6.0])
    np.testing.assert_array_equal(derivative(Slotted(point.x), ONES), [2.0, 4.0, 6.0])
    point.z = 1.0
    np.testing.assert_array_equal(derivative(point, ONES), [2.0, 4.0, 6.0])
    assert len(derivative._memo) == 4


def test_calls_with_numpy_numbers_and_lists_are_remembered():
    derivative = grad(choose)
    derivative([np.float64(0.5), 1.0], "twice", square)
    assert len(derivative._memo) == 1
