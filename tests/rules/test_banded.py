"""Systems with a factor of a banded matrix, by both modes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import linalg

from autodiff import check_grads
from autodiff.rules import registry

RNG = np.random.default_rng(4)
UPPER = np.array([[0.0, 0.0, 0.2, 0.3], [0.0, 0.4, -0.3, 0.5], [2.0, 3.0, 4.0, 3.5]])
LOWER = np.array([[2.0, 3.0, 4.0, 3.5], [0.4, -0.3, 0.5, 0.0], [0.2, 0.3, 0.0, 0.0]])
VECTOR, TABLE = RNG.uniform(-1, 1, 4), RNG.uniform(-1, 1, (4, 3))


@pytest.mark.parametrize(("band", "lower"), [(UPPER, False), (LOWER, True), (UPPER[2:], False)])
@pytest.mark.parametrize("b", [VECTOR, TABLE])
def test_systems(band: Any, lower: bool, b: Any) -> None:
    factor = linalg.cholesky_banded(band, lower=lower)
    plain = registry.written_for(linalg.cho_solve_banded)
    assert plain is not None
    expected = linalg.cho_solve_banded((factor, lower), b)
    np.testing.assert_allclose(plain((factor, lower), b), expected, rtol=1e-12)

    def solved(band: Any, b: Any) -> Any:
        factor = linalg.cholesky_banded(band, lower=lower)
        return np.sum(np.sin(linalg.cho_solve_banded((factor, lower), b)))

    check_grads(solved, band, b)
