"""The gradient of random nests of loops, against complex step; none may be wrong or refused.

`RANDOM_PROGRAMS` sets how many are drawn, `RANDOM_SEED` where the seeds begin.
"""

from __future__ import annotations

import os

import pytest

from tests.programs.random.nests import generate_nests
from tests.programs.random.outcome import outcome

pytestmark = pytest.mark.heavy  # a sweep

COUNT = int(os.environ.get("RANDOM_PROGRAMS", "80"))
FIRST = int(os.environ.get("RANDOM_SEED", "0"))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_nest(seed: int) -> None:
    program = generate_nests(seed)
    print(program.text)
    found = outcome(program)
    if found.kind == "invalid":
        pytest.skip(found.detail)
    assert found.kind == "right", f"{found.kind}\n{found.detail}\n{found.source}"
