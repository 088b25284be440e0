"""Random checkpointed programs, some each time."""

from __future__ import annotations

import collections
from pathlib import Path

import pytest

from tests.core.random_checkpoints import judged

pytest.importorskip("checkpoint_schedules")


def test_random_programs(tmp_path: Path) -> None:
    found = {seed: judged(seed, tmp_path) for seed in range(60)}
    assert not [seed for seed, what in found.items() if what == "wrong"]
    tally = collections.Counter(found.values())
    assert tally["right"] > 40, tally


@pytest.mark.heavy
@pytest.mark.parametrize("first", range(1000, 1400, 100))
def test_more_random_programs(first: int, tmp_path: Path) -> None:
    found = {seed: judged(seed, tmp_path) for seed in range(first, first + 100)}
    assert not [seed for seed, what in found.items() if what == "wrong"]
