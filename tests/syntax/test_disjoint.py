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


def _touched(text: str, size: int) -> set[int]:
    array = np.arange(size * size).reshape(size, size)
    try:
        return set(np.ravel(eval(f"x[{text}]", {"x": array})).tolist())
    except IndexError:
        return set()


@pytest.mark.parametrize("size", range(1, 6))
def test_disjoint_indices_share_nothing(size: int) -> None:
    for left, right in combinations_with_replacement(PAIRS, 2):
        if disjoint(_index(left), _index(right)):
            assert not _touched(left, size) & _touched(right, size), (left, right)


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
