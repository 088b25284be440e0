"""The gradient of random time steppers, against complex step; none may be wrong or refused.

`RANDOM_PROGRAMS` sets how many are drawn, `RANDOM_SEED` where the seeds begin. Many seeds at once,
without pytest: `python -m tests.programs.random.survey FIRST COUNT --stepping`.
"""

from __future__ import annotations

import os

import pytest

from tests.programs.random.outcome import outcome
from tests.programs.random.stepping import generate_stepping

pytestmark = pytest.mark.heavy  # a sweep

COUNT = int(os.environ.get("RANDOM_PROGRAMS", "120"))
FIRST = int(os.environ.get("RANDOM_SEED", "0"))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_stepping_program(seed: int) -> None:
    program = generate_stepping(seed)
    print(program.text)
    found = outcome(program)
    if found.kind == "invalid":
        pytest.skip(found.detail)
    assert found.kind == "right", f"{found.kind}\n{found.detail}\n{found.source}"
