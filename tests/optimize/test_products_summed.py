"""A sum of products over the last axis is an `einsum` where nobody sees the value."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad, value_and_grad


def lengths(x, y):
    return np.sum(np.sqrt(np.sum(x**2, axis=1)) * np.sum(x * y, axis=-1))


def compared(x, y):
    return np.sum(x) if (np.sum(x * y, axis=1) > 0).all() else np.sum(y)


X = np.arange(1.0, 7.0).reshape(2, 3)


def test_it_sums_the_same():
    assert grad(lengths).source_for(X, X).count("einsum") == 2
    new, old = grad(lengths)(X, X + 1), grad(lengths, contract=False)(X, X + 1)
    np.testing.assert_allclose(new, old, rtol=1e-13)


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
