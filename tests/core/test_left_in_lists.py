"""A number in a list that nobody reads, or that is replaced, has no slope, be it infinite."""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.differences import check

X = np.array([0.0, 1.0, 2.0])
"""Differences are finite below zero as long as roots of it are not used."""


def roots(x):
    found = []
    for v in x:
        found.append(np.sqrt(v))
    return found


def replaced(x):
    y = [np.sqrt(v) for v in x]
    y[0] = x[0] * 2
    return sum(y)


def not_read(x):
    y = roots(x)
    return y[1] * y[2]


def popped(x):
    y = roots(x)
    y.pop(0)
    y.insert(0, x[0])
    return sum(y)


def deleted(x):
    y = [1 / v for v in x[::-1]]
    del y[-1]
    return sum(y)


def taken_apart(x):
    a, b, c = roots(x)
    return b * c


def a_slice_of_the_array(x):
    return np.sum(np.array(roots(x))[1:])


def in_a_dict(x):
    y = {}
    for k in range(3):
        y[k] = np.sqrt(x[k])
    y[0] = x[0]
    return sum(y.values())


@pytest.mark.parametrize(
    "function",
    [replaced, not_read, popped, deleted, taken_apart, a_slice_of_the_array, in_a_dict],
    ids=lambda own: own.__name__,
)
def test_finite(monkeypatch, function):
    with np.errstate(all="ignore"):
        check(monkeypatch, function, X)
