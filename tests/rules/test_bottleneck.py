"""Functions of Bottleneck, by NumPy's (templates/bottleneck.py)."""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.differences import check_both_modes

bn = pytest.importorskip("bottleneck")

X = np.array([[1.0, 2.2, np.nan, 4.0, 0.3], [3.0, 1.1, 2.5, 0.5, -0.7]])


@pytest.mark.parametrize("word", ["mean", "sum", "std", "var", "min", "max", "median"])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_reductions(word, axis):
    reduce = getattr(bn, f"nan{word}")

    def f(x):
        table = np.where(np.isnan(X), X, np.reshape(x, (2, 5)))
        return np.sum(np.asarray(reduce(table, axis=axis)) ** 2)

    x = np.where(np.isnan(X), 0.0, X).ravel()
    np.testing.assert_allclose(f(x), np.sum(getattr(np, f"nan{word}")(X, axis=axis) ** 2))
    check_both_modes(f, x)


@pytest.mark.parametrize("word", ["sum", "mean", "std", "var", "min", "max"])
@pytest.mark.parametrize("least", [None, 2])
def test_windows_that_move(word, least):
    moved = getattr(bn, f"move_{word}")

    def f(x):
        return np.nansum(moved(np.reshape(x, (2, 5)), 3, least, 1) ** 3)

    check_both_modes(f, np.where(np.isnan(X), 0.1, X).ravel())


def moved_with_gaps(x):
    table = np.where(np.isnan(X), X, np.reshape(x, (2, 5)))
    return np.nansum(bn.move_mean(table, 2, 1, 1) ** 2 * bn.move_max(table, 3, 2, 1))


def test_numbers_that_are_missing():
    check_both_modes(moved_with_gaps, np.where(np.isnan(X), 0.0, X).ravel())
