"""Inverses that SciPy searches for: their slopes are the reciprocals of those of the function."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import special

from autodiff import grad

CASES = [
    (special.ncfdtr, special.ncfdtrinc, (3.0, 4.0, 1.5, 2.5), 2),
    (special.ncfdtr, special.ncfdtrinc, (2.0, 8.0, 0.3, 1.5), 2),
    (special.nctdtr, special.nctdtrinc, (3.5, 0.7, 1.2), 1),
    (special.nctdtr, special.nctdtrinc, (20.0, -1.5, -0.4), 1),
]


def of_all(f: Any) -> Any:
    """A function with a source."""

    def called(*args: Any) -> Any:
        return f(*args)

    return called


@pytest.mark.parametrize(("function", "inverse", "args", "place"), CASES)
def test_slopes_are_reciprocal(function: Any, inverse: Any, args: Any, place: int) -> None:
    given = list(args)
    given[place] = function(*args)
    there = list(args)
    there[place] = inverse(*given)  # what was found in place of the argument
    last = len(args) - 1
    by_own, by_last = grad(of_all(function), (place, last))(*there)
    found_own, found_last = grad(of_all(inverse), (place, last))(*given)
    np.testing.assert_allclose(found_own, 1 / by_own, rtol=1e-4)
    np.testing.assert_allclose(found_last, -by_last / by_own, rtol=1e-4)
