"""Random programs with containers; more: `python -m tests.core.random_containers`."""

from __future__ import annotations

import collections
from pathlib import Path

import numpy as np

from tests.core.random_containers import judged

SEEDS = [2, 48, *range(9000, 9030)]
"""In the first ones a loop whose first iteration stands apart makes memory of containers."""


def test_random_programs(tmp_path: Path) -> None:
    with np.errstate(all="ignore"):
        found = {seed: judged(seed, tmp_path) for seed in SEEDS}
    assert not {seed: v for seed, v in found.items() if v.what in ("wrong", "crash")}
    tally = collections.Counter(verdict.what for verdict in found.values())
    assert tally["right"] > 0.7 * len(SEEDS), tally
