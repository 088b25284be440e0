"""A sum of products over the last axis stays a sum where somebody sees the value."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import check_grads, grad, value_and_grad


def lengths(x, y):
    return np.sum(np.sqrt(np.sum(x**2, axis=1)) * np.sum(x * y, axis=-1))


def compared(x, y):
    return np.sum(x) if (np.sum(x * y, axis=1) > 0).all() else np.sum(y)


X = np.arange(1.0, 7.0).reshape(2, 3)


def test_it_sums_the_same():
    check_grads(lengths, X, X + 1)


@pytest.mark.parametrize(
    ("function", "make", "x", "y"),
    [
        (lengths, value_and_grad, X, X),
        (lengths, grad, X.astype(np.float32), X.astype(np.float32)),
        (compared, grad, X, X),
    ],
)
def test_it_stays(function, make, x, y):
    assert "einsum" not in make(function).source_for(x, y)
