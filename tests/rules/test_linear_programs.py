"""Linear programs and linear squares between bounds go with their active set."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize

from autodiff import check_grads, grad, value_and_grad
from autodiff.errors import NonDifferentiableError
from tests.rules.test_constraints import seen

PLAN = np.array([[1.0, 2.0, 0.3]])


def planned(cost, uses, stock, most):
    bounds = [(0.0, None), (0.0, most), (None, 3.0)]
    whole = {"A_eq": [[1.0, 1.0, 1.0]], "b_eq": [2.0]}
    found = optimize.linprog(cost, uses, stock, bounds=bounds, method="highs", **whole)
    return seen(found.x) + found.fun


@pytest.mark.slow
def test_linear_programs():
    given = np.array([-1.0, -2.0, -0.5]), PLAN, np.array([2.5]), 0.8
    assert value_and_grad(planned, trace=False)(*given)[0] == planned(*given)
    check_grads(planned, *given)

    def parallel(stock):
        uses = np.array([[1.0, 2.0], [2.0, 1.0]])
        return optimize.linprog(np.array([-1.0, -2.0]), uses, stock, bounds=(0, 9)).x[0]

    with pytest.raises(NonDifferentiableError, match="multiplier 0|not the only one"):
        grad(parallel)(np.array([2.0, 2.0]))


ROWS = np.array([[1.0, 0.2], [0.3, 1.0], [0.2, 0.3]])


def without_signs(rows, b):
    x, distance = optimize.nnls(rows, b)
    return np.sum(x**2) + distance


def between(rows, b, most):
    found = optimize.lsq_linear(rows, b, bounds=(0.0, most))
    return found.x[0] - found.x[1] + found.cost + found.fun[0]


@pytest.mark.parametrize(
    ("program", "given"),
    [
        (without_signs, (ROWS, np.array([2.0, -1.0, 2.0]))),
        (between, (ROWS, np.array([2.0, 1.0, 2.0]), 1.5)),
    ],
)
def test_linear_squares(program, given):
    assert value_and_grad(program, trace=False)(*given)[0] == program(*given)
    check_grads(program, *given)
    with pytest.raises(NonDifferentiableError, match="multiplier 0"):
        grad(lambda b: optimize.nnls(np.eye(2), b)[0][0])(np.array([1.0, 0.0]))
