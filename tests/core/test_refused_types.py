"""What Python refuses for the types of what it is given raises an error, also where nobody reads
the result: a `try` goes on in its handler. After a breaker's programs.
"""

from __future__ import annotations

import enum
import itertools
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import linalg

from autodiff import grad
from autodiff.errors import AutodiffError
from autodiff.pipeline import assembly
from autodiff.primitives.refused_types import refusal
from tests.core.differences import check, differences


def iterated(x):
    try:
        iter(x)
    except TypeError:
        return x**3
    return x**2


def iterable_of_numpy(x):
    return x**2 if np.iterable(x) else x**3


def enumerated(x):
    try:
        q = enumerate(x)
    except TypeError:
        q = [(0, x), (1, x**2)]
    return sum(v for _, v in q)


def mapped(x):
    try:
        zip(map(math.sin, x), itertools.chain.from_iterable([x]))
    except TypeError:
        return x**3
    return x**2


def length_of_none(x):
    w = None
    try:
        n = len(w)
    except TypeError:
        n = 3
    return n * x


def number_of_none(x):
    w = None
    try:
        k = float(w)
    except TypeError:
        k = 3.0
    return k * x**2


def attribute_of_text(x):
    name = "ab"
    try:
        n = name.ndim
    except AttributeError:
        n = 3
    return n * x**2


def function_of_text(x):
    try:
        math.hypot(x, "a")
    except TypeError:
        return x**3
    return x**2


def too_many(x):
    try:
        len("ab", x)
    except TypeError:
        return x**3
    return x**2


def class_of_a_number(x):
    return x**2 if x.__class__ is float else x**3


@pytest.mark.parametrize(
    "function",
    [
        *(iterated, iterable_of_numpy, enumerated, mapped, length_of_none, number_of_none),
        *(attribute_of_text, function_of_text, too_many),
    ],
)
def test_types(function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, function, 0.7)


def test_iterated_at_other_kinds() -> None:
    assert grad(class_of_a_number)(0.7) == pytest.approx(1.4)
    assert grad(iterated)(np.float64(0.7)) == pytest.approx(3 * 0.7**2)
    np.testing.assert_allclose(grad(iterated)(np.array(0.7)), 3 * 0.7**2)
    assert refusal(len, ["a box"], {}) is None


class Mode(enum.Enum):
    A = 1.0
    B = 2.5
    C = 2.5

    def scaled(self, x):
        return x * self.value


def members(x):
    t = 0.0
    for m in Mode:
        t = t + m.scaled(x)
    return t + sum(x**2 * m.value for m in list(Mode))


def members_by_name(x, key):
    return Mode["B"].scaled(x) * len(Mode) + Mode[key].scaled(x) + Mode(2.5).scaled(x) * x


def no_member(x):
    try:
        return Mode["D"].scaled(x)
    except KeyError:
        return x**2


def test_members_of_an_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, members, 0.7)
    check(monkeypatch, lambda x: members_by_name(x, "C"), 0.7)
    check(monkeypatch, no_member, 0.7)


class Scaled:
    def __init__(self, k):
        self.k = k

    def __add__(self, other):
        return np.sin(other) * self.k

    def __rmul__(self, other):
        return np.sum(other) * other * self.k


class Whole(Scaled):
    __array_ufunc__ = None


G = Scaled(2.0)


def by_a_function(x):
    return operator.add(G, x)


def by_each_element(x):
    return np.sum(x * Scaled(2.0))


def by_each_element_outside(x):
    return np.sum(x * G)


def by_all(x):
    return np.sum(x * Whole(2.0))


def test_operators_of_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    """An array asks an object on its right for each element, unless its class forbids that."""
    check(monkeypatch, by_a_function, 0.7)
    check(monkeypatch, by_all, np.array([1.0, 2.0, 0.5]))
    for function in (by_each_element, by_each_element_outside):
        with pytest.raises(AutodiffError, match="each element"):
            grad(function)(np.array([1.0, 2.0, 0.5]))


def first_of_blocks(m):
    return linalg.block_diag(m * 2, m)[0, 0] + linalg.block_diag(m * 3)[0, 1]


def test_a_list_from_a_helper_shares_no_forward_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The adjoint of the first operand was lost: its region grew after activity was decided."""
    monkeypatch.setattr(assembly, "CHECKED", True)
    expected = np.array([[2.0, 3.0], [0.0, 0.0]])
    np.testing.assert_allclose(grad(first_of_blocks)(np.array([[1.0, 2.0], [3.0, 4.0]])), expected)


def counted_by_an_item(x):
    steps = [2, x[0]]
    for k in range(2):
        steps[k] = steps[k] * 2
    return sum(x[i % 3] * steps[1] for i in range(steps[0]))


def counted_by_what_a_loop_takes_apart(x):
    best = [0.0] * 4
    for w, v in zip((1, 2, 3), x):
        for c in range(3, w - 1, -1):
            best[c] = max(best[c], best[c - w] + v * v)
    return best[-1]


def counted_on_one_path(x):
    k = 2 if x[0] > 0 else x[1]
    return sum(x[i] ** 2 for i in range(k))


def test_what_may_be_a_whole_number_is_not_refused() -> None:
    """Of an integer and a float in one list, or in one variable, each is what it is."""
    x = np.array([1.3, 0.4, -0.7])
    for function in (
        counted_by_an_item,
        counted_by_what_a_loop_takes_apart,
        counted_on_one_path,
    ):
        expected = differences(function, (x,))
        np.testing.assert_allclose(grad(function)(x), expected, rtol=1e-5, atol=1e-7)
    with pytest.raises(AutodiffError, match="index of unknown kind"):
        grad(lambda x: x[: 2 if x[0] > 0 else x[1]].sum())(x)
