"""Riccati equations in all that is given, by both modes and twice."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import linalg

from autodiff import check_grads, grad

RNG = np.random.default_rng(6)
A, B = RNG.uniform(-1, 1, (3, 3)), RNG.uniform(-1, 1, (3, 2))
Q, R = RNG.uniform(-1, 1, (3, 3)), RNG.uniform(-1, 1, (2, 2))


def regulated(a, b, q, r):
    """The costs and the gain of a regulator."""
    weights, price = q @ q.T + np.eye(3), r @ r.T + np.eye(2)
    x = linalg.solve_continuous_are(a, b, weights, price)
    return np.sum(np.sin(x)) + np.sum(np.linalg.solve(price, b.T @ x) ** 2)


def regulated_in_steps(a, b, q, r):
    weights, price = q @ q.T + np.eye(3), r @ r.T + np.eye(2)
    x = linalg.solve_discrete_are(a, b, weights, price)
    return np.sum(np.sin(x)) + np.trace(b @ b.T @ x)


@pytest.mark.slow
@pytest.mark.parametrize("cost", [regulated, regulated_in_steps])
@pytest.mark.parametrize("order", [1, 2])
def test_regulators(cost, order):
    check_grads(cost, A, B, Q, R, order=order)


def test_complex_matrices_are_refused():
    def cost(b):
        return np.sum(np.abs(linalg.solve_continuous_are(A + 0.1j, b, np.eye(3), np.eye(2))))

    with pytest.raises(NotImplementedError, match="complex"):
        grad(cost)(B)
