"""Indices that never mean the same element: tried out on arrays of many sizes."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import gast
import numpy as np
import pytest

from autodiff.syntax.disjoint import disjoint

AXIS = ["0", "1", "-1", "-2", ":", "1:", ":-1", "1:-1", ":1", "2:", "-1:", ":-2", "::2", "1::2"]
PAIRS = [*AXIS, *(", ".join(p) for p in product(["0", "-1", "1:-1", ":"], repeat=2)), "..., 0"]


def _index(text: str) -> gast.expr:
    return gast.parse(f"x[{text}]").body[0].value.slice


def _touched(text: str, size: int, t: int = 0) -> set[int]:
    array = np.arange(size * size).reshape(size, size)
    try:
        return set(np.ravel(eval(f"x[{text}]", {"x": array, "t": t})).tolist())
    except IndexError:
        return set()


@pytest.mark.parametrize("size", range(1, 6))
def test_disjoint_indices_share_nothing(size: int) -> None:
    for left, right in combinations_with_replacement(PAIRS, 2):
        if disjoint(_index(left), _index(right)):
            assert not _touched(left, size) & _touched(right, size), (left, right)


COUNTED = "t; t + 1; t - 1; :t; t:; t + 1 :; : t - 1; 0; 1; -1; :1; 1:; :-1".split("; ")


@pytest.mark.parametrize("least", [0, 1, 2, -1])
def test_indices_that_count_from_a_counter(least: int) -> None:
    pairs = [*COUNTED, *(", ".join(p) for p in product(["t", "t + 1 :", ":t", "0"], repeat=2))]
    seen = 0
    for left, right in combinations_with_replacement(pairs, 2):
        if not disjoint(_index(left), _index(right), {"t": least}):
            continue
        seen += 1
        for size, t in product(range(1, 6), range(least, 6)):
            touched = [_touched(text, size, t) for text in (left, right)]
            assert not touched[0] & touched[1], (left, right, size, t)
    assert seen > 10


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("0", "1", True),
        ("0", "-1", False),
        ("0", "1:-1", True),
        ("-1", "1:-1", True),
        ("-1, :", "-2, :", True),
        (":, 0", "1:-1, 1:-1", True),
        (":, 0", "0, :", False),
        (":2", "2:", True),
        ("..., 0", "..., 1", False),
        ("i", "j", False),
        ("0", "::2", False),
    ],
)
def test_what_is_seen(left: str, right: str, expected: bool) -> None:
    assert disjoint(_index(left), _index(right)) is expected
    assert disjoint(_index(right), _index(left)) is expected
