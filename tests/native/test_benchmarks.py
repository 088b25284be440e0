"""The benchmarks of the native backend: gradients of loops agree, at sizes that take no time."""

from __future__ import annotations

import pytest

pytest.importorskip("numba")
pytestmark = pytest.mark.heavy  # compiles a lot


def test_gradients_agree(monkeypatch):
    from tests.benchmarks import measure
    from tests.benchmarks.native import suite, table

    monkeypatch.setattr(measure, "BATCH", 0.0)
    loops = [case for case in suite.cases(small=True) if not case.others and "W6" not in case.title]
    results = [suite.measure(case, rounds=1) for case in loops]
    assert len(table.table(results).splitlines()) == len(results) + 3
