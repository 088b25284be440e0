"""Tangents of what may be memory of one of several arguments, which nobody changes."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import jvp
from tests.core.differences import differences

linalg = pytest.importorskip("scipy.linalg")

ROWS, ROW = np.array([[0.3, 0.4, 0.5], [1.0, 2.0, 3.0]]), np.array([0.7, 0.8, 0.9])
MATRIX = np.array([[4.0, 1.0], [1.0, 3.0]])


def added_up(x):
    return np.sum(sum(x, x[0]) ** 2) + np.sum(sum(x[:0], x[1]) * x[0])


def over_pairs(x):
    return np.vectorize(lambda v, w, u: v * w + u)(x, x[:, None], 2.0).sum()


def root(x):
    w = linalg.sqrtm(x)
    return np.sum(w @ w @ w)


@pytest.mark.parametrize(
    ("function", "x"),
    [(added_up, ROWS), (over_pairs, ROW), (root, MATRIX)],
    ids=["added_up", "over_pairs", "root"],
)
def test_agrees_with_differences(function, x):
    dot = np.cos(x)
    before = dot.copy()
    _, tangent = jvp(function, (x,), (dot,))
    assert tangent == pytest.approx(np.sum(differences(function, (x,)) * dot), rel=1e-6)
    np.testing.assert_array_equal(dot, before)
