"""Random programs: their Hessians by patterns agree with tangents of their gradients.

Each call of `sparse_hessian` compares what it has found with the tangent along a random direction,
so a pattern that misses an entry is an InternalError here. `RANDOM_PROGRAMS` sets how many programs
are drawn, `RANDOM_SEED` where the seeds begin.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from autodiff import sparse_hessian
from autodiff.errors import AutodiffError, InternalError
from autodiff.sparsity.sparse import SparseJacobian
from tests.forward.test_random import COUNT, FIRST, KINDS, drawn
from tests.language import oracle
from tests.sparse.oracle import dependence

pytestmark = pytest.mark.heavy  # a sweep


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT // 10))
@pytest.mark.parametrize("kind", KINDS)
def test_patterns(kind: str, seed: int, tmp_path: Path) -> None:
    program, function, wrt, _ = drawn(kind, seed, tmp_path)
    args = oracle.copied(list(program.args))
    try:
        derivative = SparseJacobian(function, "jvp", wrt)
        found = derivative.pattern_at(*args).matrix.toarray()
    except AutodiffError as error:
        pytest.skip(f"refused: {error.what}")
    missed = dependence(function, args, {}, derivative.wrt) & ~found
    assert not np.any(missed), np.argwhere(missed)
    if seed % 8:  # a second derivative takes seconds to compile
        return
    try:
        sparse_hessian(function, wrt)(*args)
    except InternalError:
        raise
    except AutodiffError as error:
        pytest.skip(f"Hessian refused: {error.what}")
