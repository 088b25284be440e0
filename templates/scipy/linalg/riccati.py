"""Algebraic Riccati equations: a change of what is given is answered by a Lyapunov equation.

Of A^T X + X A - X B R^-1 B^T X + Q = 0, with K = R^-1 B^T X and A - B K in place of A. Source: Kao
and Hennequin, Automatic differentiation of Sylvester, Lyapunov, and algebraic Riccati equations
(2020). Real matrices; without `e`, `s`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from autodiff.rules import adjoint, d, registry


def real_matrix(x: Any) -> Any:
    """A copy of what is given, if it is real."""
    if np.iscomplexobj(x):
        raise NotImplementedError("Riccati equations of complex matrices have no derivative rule")
    return np.array(x)


_SOLVERS = (linalg.solve_continuous_are, linalg.solve_discrete_are)
registry.add_making((real_matrix, *_SOLVERS))
registry.add_demanding(_SOLVERS)  # made-up matrices have no solution


@adjoint(linalg.solve_continuous_are)
def solve_continuous_are(x, a, b, q, r):
    own = real_matrix(x)
    gain = np.linalg.solve(r, b.T @ own)
    answer = linalg.solve_continuous_lyapunov(a - b @ gain, d[x])
    both = own @ (answer + answer.T)
    d[a] = -both
    d[b] = both @ gain.T
    d[q] = -answer
    d[r] = -gain @ answer @ gain.T


@adjoint(linalg.solve_discrete_are)
def solve_discrete_are(x, a, b, q, r):
    """Of A^T X A - X - A^T X B (R + B^T X B)^-1 B^T X A + Q = 0."""
    own = real_matrix(x)
    gain = np.linalg.solve(r + b.T @ own @ b, b.T @ own @ a)
    closed = a - b @ gain
    answer = linalg.solve_discrete_lyapunov(closed, d[x])
    both = own @ closed @ (answer + answer.T)
    d[a] = both
    d[b] = -both @ gain.T
    d[q] = answer
    d[r] = gain @ answer @ gain.T
