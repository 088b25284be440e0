"""Sizes that values decide follow from no kind."""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.judge import Verdict, judge


def where_it_is_not_zero(x, a):
    (found,) = np.nonzero(x)
    return np.sum(a[found] ** 2 * x)


def flat_where_it_is_not_zero(x, a):
    found = np.flatnonzero(x)
    return np.sum(a[found] ** 2 * x)


def where_it_is_true(x, a):
    (found,) = np.where(x)
    return np.sum(a[found] ** 2 * x)


@pytest.mark.parametrize(
    "function",
    [where_it_is_not_zero, flat_where_it_is_not_zero, where_it_is_true],
    ids=lambda f: f.__name__,
)
def test_one_that_is_not_zero(function):
    """One item is broadcast, where as many as there are would not be."""
    x, a = np.array([0.0, 0.7, 0.0]), np.array([0.4, 1.3, 0.7])
    assert judge(function, [(x, a)], ("a",)) == Verdict("right")
