"""Leave to overwrite is not taken where a run is followed: LAPACK's result shares memory with what
it was given then, and the adjoint of one was that of the other.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import linalg

from autodiff import check_grads
from autodiff.tracing.one_operation import Missing
from autodiff.tracing.operations import locked
from tests.tracing.alone import followed_alone

W = np.array([0.5, 1.5, 0.8, 1.1])
A = np.array([[2.0, 0.3, 0.1, 0], [0.2, 1.7, 0.4, 0.1], [0.5, 0.1, 1.9, 0.0], [0, 0.1, 0.2, 3.0]])


def ov_solve(p):
    b = p * 2
    return np.sum(linalg.solve(A * p[0], b, overwrite_a=True, overwrite_b=True) ** 2)


def ov_inv(p):
    b = A * p[0]
    return np.sum(linalg.inv(b, overwrite_a=True) ** 2)


def ov_pos(p):
    b = A * p[0]
    return np.sum(linalg.inv(b, True) ** 2)


def ov_lu(p):
    b = A * p[0]
    x = linalg.lu_solve(linalg.lu_factor(b, overwrite_a=True), p * 1, overwrite_b=True)
    return x @ x


def ov_chol(p):
    b = A @ A.T * p[0] + np.eye(4)
    c = linalg.cholesky(b, lower=True, overwrite_a=True)
    return np.sum(linalg.solve_triangular(c, p * 3, lower=True, overwrite_b=True) ** 2)


def ov_banded(p):
    ab = np.array([[0, 0.1, 0.2, 0.3], [2, 3, 4, 5.0], [0.3, 0.2, 0.1, 0]]) * p
    return np.sum(
        linalg.solve_banded((1, 1), ab, p * 1.0, overwrite_ab=True, overwrite_b=True) ** 2
    )


def ov_eigh(p):
    b = A + A.T + np.diag(p)
    return (
        linalg.eigh(b, overwrite_a=True)[0][0]
        + linalg.svdvals(A * p, overwrite_a=True)[0]
        + linalg.det(A * p, overwrite_a=True)
    )


@pytest.mark.parametrize("program", [ov_solve, ov_inv, ov_pos, ov_lu, ov_chol, ov_banded, ov_eigh])
def test_overwriting(program):
    check_grads(program, W)
    with followed_alone():
        check_grads(program, W)


class Quiet:
    """Writes where an error is dropped, as C code does that cannot raise one."""

    def __init__(self, own):
        self.own = own

    def __del__(self):
        self.own[0] = 1.0


def test_a_write_whose_error_is_dropped_is_no_operation():
    memory = np.zeros(2)
    with pytest.raises(Missing, match="changes what it is given"):
        locked([memory], lambda own: type(Quiet(own)), (memory,), {})
    assert memory[0] == 0.0 and memory.flags.writeable
