"""Nothing flows into what was not chosen: finite where the function is, whatever the slope."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad
from tests.core.judge import core_alone

X = np.array([0.3, 0.0, 1.2])


def left_out_by_continue(x):
    t = 0.0
    for i in range(3):
        for j in range(3):
            d = np.sqrt((x[i] - x[j]) ** 2)
            if i == j:
                continue
            t += d
    return t


def overwritten_by_a_mask(x):
    y = np.sqrt(x)
    y[x < 0.1] = 2.0
    return np.sum(y)


def overwritten_by_number(x):
    y = np.sqrt(x)
    y[1] = 0.5
    return np.sum(y * y * y)


def numbers_that_are_chosen(x):
    p, q = x[1], x[2]
    y = np.array([p * q, np.where(p > 0.0, np.sqrt(p), q)])
    return y[0] * q + y[1]


def not_read(x):
    y = np.sqrt(x)
    return y[0] * y[2]


def chosen_of_what_is_no_number(x):
    return np.sum(np.where(x > 0.1, np.log(x) * x, x))


def chosen_by_a_branch(x):
    s = 0.0
    for k in range(3):
        r = 1.0 / x[k]
        if x[k] > 0.1:
            s += r
    return s


EXPECTED = {
    left_out_by_continue: [0.0, -4.0, 4.0],
    overwritten_by_a_mask: [0.5 / np.sqrt(0.3), 0.0, 0.5 / np.sqrt(1.2)],
    overwritten_by_number: [1.5 * np.sqrt(0.3), 0.0, 1.5 * np.sqrt(1.2)],
    numbers_that_are_chosen: [0.0, 1.44, 1.0],
    not_read: [0.5 * np.sqrt(1.2 / 0.3), 0.0, 0.5 * np.sqrt(0.3 / 1.2)],
    chosen_of_what_is_no_number: [np.log(0.3) + 1.0, 1.0, np.log(1.2) + 1.0],
    chosen_by_a_branch: [-1.0 / 0.09, 0.0, -1.0 / 1.44],
}


@pytest.mark.parametrize("function", EXPECTED, ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_finite(function):
    with core_alone(), np.errstate(all="ignore"):
        found = grad(function)(X)
    np.testing.assert_allclose(found, EXPECTED[function], rtol=1e-12)


def gemm_like(x, y):
    return np.sum(x / y * np.sqrt(x))


def test_no_gate_without_a_choice():
    """What is zero nowhere by how it came about is not asked."""
    with core_alone():
        assert "where" not in grad(gemm_like).source_for(X + 1.0, X + 2.0)
