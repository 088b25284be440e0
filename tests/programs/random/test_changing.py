"""The gradient of random programs whose lists and dicts change, against complex step.

`RANDOM_PROGRAMS` sets how many are drawn, `RANDOM_SEED` where the seeds begin. Many seeds at once,
without pytest: `python -m tests.programs.random.survey FIRST COUNT --changing`.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from tests.programs.random.changing import generate_changing
from tests.programs.random.outcome import outcome

pytestmark = pytest.mark.heavy  # a sweep

COUNT = int(os.environ.get("RANDOM_PROGRAMS", "200")) // 4
FIRST = int(os.environ.get("RANDOM_SEED", "0"))
MAX_REFUSED = 0.35
"""The share of programs that may be refused."""

REFUSED: Counter[str] = Counter()
"""How often each refusal was met in this run."""


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_changing_program(seed: int) -> None:
    program = generate_changing(seed)
    print(program.text)
    found = outcome(program)
    if found.kind.startswith("refused"):
        REFUSED[found.detail] += 1
        return
    if found.kind == "invalid":
        pytest.skip(found.detail)
    assert found.kind == "right", f"{found.kind}\n{found.detail}\n{found.source}"


def test_few_programs_are_refused() -> None:
    """After the programs, so that it sees what was refused."""
    share = sum(REFUSED.values()) / COUNT
    report = "\n".join(f"{count:5} {message}" for message, count in REFUSED.most_common())
    print(report)
    assert share <= MAX_REFUSED, f"{share:.0%} of the programs were refused\n{report}"
