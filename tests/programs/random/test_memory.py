"""The gradient of random programs with mutable memory, against complex step.

`RANDOM_PROGRAMS` sets how many are drawn, `RANDOM_SEED` where the seeds begin. A failing seed is
reduced by `python -m tests.programs.random.shrink --memory SEED`. Many seeds at once, without
pytest: `python -m tests.programs.random.survey FIRST COUNT`.
"""

from __future__ import annotations

import os
from collections import Counter

import numpy as np
import pytest

from tests.language import oracle
from tests.programs.random.memory import defined, generate_memory
from tests.programs.random.outcome import expected, outcome

pytestmark = pytest.mark.heavy  # a sweep

COUNT = int(os.environ.get("RANDOM_PROGRAMS", "120"))
FIRST = int(os.environ.get("RANDOM_SEED", "0"))
MAX_REFUSED = 0.35
"""The share of programs that may be refused."""

REFUSED: Counter[str] = Counter()
"""How often each refusal was met in this run."""


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_memory_program(seed: int) -> None:
    program = generate_memory(seed)
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


@pytest.mark.parametrize("seed", range(0, 200, 10))
def test_oracles_agree(seed: int) -> None:
    """Complex step and differences give the same numbers, whatever the compiler does."""
    program = generate_memory(seed)
    wrt = tuple(range(len(program.args)))
    try:
        differences = oracle.gradients(defined(program.text), program.args, {}, wrt)
    except oracle.OracleError as kink:
        pytest.skip(f"at a kink: {kink}")
    for one, other in zip(expected(program), differences, strict=True):
        for step, difference in zip(one, other, strict=True):
            np.testing.assert_allclose(step, difference, rtol=1e-6, atol=1e-6)


def test_generation_is_deterministic() -> None:
    assert generate_memory(7).text == generate_memory(7).text
    assert generate_memory(7).text != generate_memory(8).text
