"""Random checkpointed programs, some each time."""

from __future__ import annotations

import collections
from pathlib import Path

import pytest

from tests.core.random_checkpoints import judged

pytest.importorskip("checkpoint_schedules")


def all_but_few_are_right(seeds: range, folder: Path) -> None:
    found = {seed: judged(seed, folder) for seed in seeds}
    assert not [seed for seed, what in found.items() if what == "wrong"]
    tally = collections.Counter(found.values())
    assert tally["right"] > 0.85 * len(seeds), tally


@pytest.mark.slow
def test_random_programs(tmp_path: Path) -> None:
    all_but_few_are_right(range(60), tmp_path)


@pytest.mark.heavy
@pytest.mark.parametrize("first", range(1000, 1400, 100))
def test_more_random_programs(first: int, tmp_path: Path) -> None:
    all_but_few_are_right(range(first, first + 100), tmp_path)
