"""The gradient of random loops over elements, against complex step; none may be wrong or refused.

`RANDOM_PROGRAMS` sets how many are drawn, `RANDOM_SEED` where the seeds begin.
"""

from __future__ import annotations

import os

import pytest

from tests.programs.random.elements import generate_elements
from tests.programs.random.outcome import outcome

pytestmark = pytest.mark.heavy  # a sweep

COUNT = int(os.environ.get("RANDOM_PROGRAMS", "100"))
FIRST = int(os.environ.get("RANDOM_SEED", "0"))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_elements_program(seed: int) -> None:
    program = generate_elements(seed)
    print(program.text)
    found = outcome(program)
    if found.kind == "invalid":
        pytest.skip(found.detail)
    assert found.kind == "right", f"{found.kind}\n{found.detail}\n{found.source}"
