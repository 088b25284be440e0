"""LAPACK's solvers that `scipy.interpolate` calls by name: a solution has a derivative, the factors
beside it are refused.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import interpolate, linalg
from scipy.linalg import lapack

from autodiff import check_grads, grad
from autodiff.rules import registry

registry.load_part(interpolate.__name__)
pytestmark = pytest.mark.followed
A = np.array([[2.0, 0.3, 0.1], [0.2, 1.7, 0.4], [0.5, 0.1, 1.9]])
P = np.array([0.5, 1.5, 0.8])


def solved(p):
    *_, one, _ = lapack.dgesv(A * p, p)
    *_, many, _ = lapack.dgesv(A, np.outer(p, [1.0, 2.0]))
    return np.sum(one**2) + np.sum(many**3)


def solved_in_a_band(p):
    band = np.zeros((4, 3))
    band[1:] = np.array([[0, 0.3, 0.4], [2, 1.7, 1.9], [0.2, 0.1, 0]]) * p
    return np.sum(lapack.dgbsv(1, 1, band, p)[2] ** 2)


@pytest.mark.parametrize("program", [solved, solved_in_a_band])
def test_solutions(program):
    check_grads(program, P)


def test_factors_are_refused():
    def again(p):
        factors, pivots, _, _ = lapack.dgesv(A, p)
        return np.sum(linalg.lu_solve((factors, pivots), p))

    with pytest.raises(NotImplementedError, match="lu_factor"):
        grad(again)(P)
