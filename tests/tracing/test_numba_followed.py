"""What Numba compiled is followed by the function that it was made from."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest

from autodiff import grad, jvp
from autodiff.errors import AutodiffError
from tests.tracing.alone import followed_alone

numba = pytest.importorskip("numba")
X = np.array([0.7, 1.3, 0.45])


@numba.vectorize
def powers(x: Any, n: Any) -> Any:
    return x**n + x


@numba.vectorize(["float64(float64)"])
def bent(x: Any) -> Any:
    return np.sin(x) * x if x > 0 else x


@numba.njit
def summed(x: Any, k: Any) -> Any:
    total = 0.0
    for i in range(len(x)):
        total += x[i] * k
    return total


@numba.vectorize
def wrapping(x: Any, n: Any) -> Any:
    return x * (n * n * n * n + 1)


powers(2, 3)  # a loop of whole numbers beside those that come


def of_elements(x: Any) -> Any:
    return np.sum(powers(x, 2)) + powers(x[0], 3) * powers(2, 2) + np.sum(bent(x)) * bent(x[1])


def of_loops(x: Any) -> Any:
    return summed(x * x, 2.0) + summed(np.ones(3), x[0]) + summed(np.ones(2), 1.0)


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize("program", [of_elements, of_loops])
def test_followed(program: Any, alone: bool) -> None:
    step = 1e-6 * np.eye(3)
    expected = np.array([(program(X + e) - program(X - e)) / 2e-6 for e in step])
    with followed_alone() if alone else contextlib.nullcontext():
        np.testing.assert_allclose(grad(program)(X), expected, rtol=1e-6)
        _, tangent = jvp(program, (X,), (np.ones(3),))
    assert tangent == pytest.approx(np.sum(expected), rel=1e-6)


def test_whole_numbers_that_wrap_around_are_refused() -> None:
    def program(x: Any) -> Any:
        return wrapping(x[0], 70_000)

    with followed_alone(), pytest.raises(AutodiffError, match="gives something else"):
        grad(program)(X)
