"""The benchmarks of the native backend: gradients of loops agree, at sizes that take no time."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba")
pytestmark = pytest.mark.heavy  # compiles a lot


def test_gradients_agree(monkeypatch):
    from tests.benchmarks import measure
    from tests.benchmarks.native import suite, table

    monkeypatch.setattr(measure, "BATCH", 0.0)
    monkeypatch.delitem(suite.PEERS, "torch.compile")  # takes minutes
    loops = [case for case in suite.cases(small=True) if not case.others and "W6" not in case.title]
    results = [suite.measure(case, rounds=1) for case in loops]
    assert len(table.table(results).splitlines()) == len(results) + 3


def test_the_reverse_sweep_computes_nothing_twice():
    from autodiff import grad
    from tests.benchmarks import bundle

    arguments = bundle.arguments(4)
    derivative = grad(bundle.bundle, (0, 1, 2), backend="numba")
    source = derivative.source_for(*arguments)
    _, reverse = source.split("# Reverse sweep")
    values = [line.split(" = ")[1] for line in reverse.splitlines() if " = " in line[:40]]
    for once in ("observed[p, 0]", "weights[p]", "1.0 - cosine", "cameras[c, 6]"):
        assert values.count(once) == 1
    wanted = grad(bundle.bundle, (0, 1, 2))(*arguments)
    for one, other in zip(derivative(*arguments), wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)
