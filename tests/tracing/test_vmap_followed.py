"""Functions of many examples that are made inside of what is followed."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import vmap
from tests.core.differences import check_both_modes

X = np.array([1.0, 2.0, 3.0])


def of_a_lambda(x):
    return vmap(lambda v: v * v)(x) @ x


def of_what_reads_around_it(x):
    scale = x[0]

    def one(v, w):
        if v > 1.5:
            return v * scale
        return w * v

    return (vmap(one)(x, x**2) * x).sum()


def of_rows(x):
    found = vmap(lambda row, w: row @ w, in_axes=(1, None))(np.outer(x, x[:2]), x)
    return found @ found


@pytest.mark.parametrize("f", [of_a_lambda, of_what_reads_around_it, of_rows])
def test_right(f):
    check_both_modes(f, X)
