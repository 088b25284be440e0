"""Stores between overlapping rows: what passes the check is as if copied first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from autodiff.runtime import orderless

SIZE = 12


def _rows(length: int) -> Iterator[slice]:
    for start, step in product(range(SIZE), (-3, -2, -1, 1, 2, 3)):
        if 0 <= start + step * (length - 1) < SIZE:
            stop = start + step * length
            yield slice(start, None if stop < 0 else stop, step)


def _passes(target: np.ndarray, source: np.ndarray) -> bool:
    try:
        orderless(target, source)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_what_passes_is_as_if_copied(length: int) -> None:
    wrong = 0
    for left, right in product(_rows(length), repeat=2):
        x, y = np.arange(SIZE, dtype=float), np.arange(SIZE, dtype=float)
        passes = _passes(x[left], x[right])
        x[left] = x[right]
        y[left] = y[right].copy()
        assert passes == np.array_equal(x, y), (left, right)
        wrong += not passes
    assert (wrong > 0) == (length > 2)  # else there is nothing to check


def test_rows_that_meet_where_they_are_at_the_same_place() -> None:
    m = np.arange(9.0).reshape(3, 3)
    for k in range(3):
        orderless(m[k], m[:, k])
        orderless(m[k, k + 1 :], m[k + 1 :, k])
    with pytest.raises(ValueError, match=r"\.copy\(\)"):
        orderless(m[1], m[:, 2])
    with pytest.raises(ValueError, match="overlap"):
        orderless(m[1], m[None, :, 2])


def test_what_numpy_copies_first() -> None:
    m = np.arange(9.0).reshape(3, 3)
    orderless(m, m.T)
    orderless(m[1:], m[0])
    orderless(m[1], m[::-1, 2])
    orderless(m[1], np.broadcast_to(m[1, 2], 3))
    orderless(m[1], 2.0)
