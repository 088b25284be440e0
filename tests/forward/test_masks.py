"""Second derivatives of programs whose slopes are infinite where a mask leaves them out."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import grad, hessian, hvp
from tests.language.corpus import Program
from tests.language.test_language import PROGRAMS

SOME = [entry for entry in PROGRAMS if entry.topic == "masks_in_loops"]


@pytest.mark.parametrize("entry", SOME, ids=lambda entry: entry.name)
def test_second_derivatives(entry: Program) -> None:
    x = np.array(entry.points[0].args[0])
    v = np.linspace(0.5, -1.0, x.size)
    gradient, step = grad(entry.function), 1e-6
    expected = (gradient(x + step * v) - gradient(x - step * v)) / (2 * step)
    np.testing.assert_allclose(hvp(entry.function)(x, v), expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(hessian(entry.function)(x) @ v, expected, rtol=1e-5, atol=1e-6)
