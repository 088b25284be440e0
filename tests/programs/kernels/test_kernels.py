"""Every kernel: value, gradient, arguments untouched, or an error that the compiler announces."""

from __future__ import annotations

import numpy as np
import pytest

from tests.language import oracle
from tests.language.corpus import Program
from tests.programs.kernels import checks

each_kernel = pytest.mark.parametrize("entry", checks.KERNELS, ids=lambda entry: entry.name)


@each_kernel
def test_gradient(entry: Program) -> None:
    checks.check_gradient(entry)


@pytest.mark.heavy  # says nothing of the compiler
@each_kernel
def test_primal_is_deterministic(entry: Program) -> None:
    oracle.assert_same(entry.function(**checks.fresh(entry)), checks.primal(entry))


@pytest.mark.heavy  # says nothing of the compiler
@pytest.mark.parametrize(
    "entry", [entry for entry in checks.KERNELS if entry.analytic], ids=lambda entry: entry.name
)
def test_oracles_agree(entry: Program) -> None:
    """Complex step against differences, which know nothing of the complex namespace."""
    exact, approximate = checks.by_complex_step(entry), checks.by_differences(entry)
    size = checks.scaled(exact)
    for parts, others in zip(exact, approximate, strict=True):
        for part, other in zip(parts, others, strict=True):
            np.testing.assert_allclose(part, other, rtol=1e-8, atol=1e-8 * size)
