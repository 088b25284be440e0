"""`solve_bvp` in what its functions read, in the ends of the mesh and in unknown parameters."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate

from autodiff import AutodiffError, check_grads, grad

pytestmark = pytest.mark.followed
P = np.array([0.5, 1.5, 0.8])
X, ZERO = np.linspace(0, 1, 11), np.zeros((2, 11))


def pendulum(p, x=X):
    return integrate.solve_bvp(
        lambda x, y: np.vstack([y[1], -p[0] * np.sin(y[0])]),
        lambda a, b: np.array([a[0] - p[1], b[0]]),
        x,
        ZERO,
        tol=1e-7,
    )


def between_nodes(p):
    found = pendulum(p)
    return found.sol(0.5)[0] + found.y[1, 0] + np.sum(found.sol([0.2, 0.7], 1)[0])


def longer(p):
    return pendulum(p, np.linspace(0, p[2], 11)).y[1, -1]


def eigenvalue(p):
    begin = np.array([np.sin(np.pi * X), np.pi * np.cos(np.pi * X)])
    found = integrate.solve_bvp(
        lambda x, y, k: np.vstack([y[1], -(k[0] ** 2 + p[0] * x) * y[0]]),
        lambda a, b, k: np.array([a[0], b[0], a[1] - p[1]]),
        X,
        begin,
        p=[3.0],
        tol=1e-7,
    )
    return found.p[0] * p[2]


@pytest.mark.parametrize("program", [between_nodes, longer, eigenvalue])
def test_solutions(program):
    check_grads(program, P, rtol=1e-5)


def test_what_is_refused():
    with pytest.raises(AutodiffError, match="singular term"):
        grad(singular)(P)


def singular(p):
    return integrate.solve_bvp(
        lambda x, y: np.vstack([y[1], -p[0] * y[0]]),
        lambda a, b: np.array([a[1], b[0] - p[1]]),
        X,
        ZERO,
        S=np.array([[0, 0], [0, -2.0]]),
    ).y[0, 0]
