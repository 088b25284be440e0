"""The suite runs and all gradients in it agree, at sizes that take no time. Nothing is timed."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from autodiff import grad
from tests.benchmarks import checkpoints, measure, report, second
from tests.benchmarks.adjoints.table import TOPICS, compared, table
from tests.benchmarks.rule_costs import measure_rule
from tests.benchmarks.rules import workloads
from tests.benchmarks.suite import suite

pytestmark = pytest.mark.heavy  # a sweep


@pytest.mark.parametrize("workload", suite(small=True), ids=lambda workload: workload.name)
def test_gradients_agree(workload, monkeypatch):
    monkeypatch.setattr(measure, "BATCH", 0.0)
    row = measure.measure(workload, rounds=1)
    assert {"primal", "generated", "hand"} <= set(row.times)
    assert workload.name in report.table([row])


@pytest.mark.parametrize("workload", workloads(10), ids=lambda workload: workload.name)
def test_gradients_of_rules_agree(workload, monkeypatch):
    monkeypatch.setattr(measure, "BATCH", 0.0)
    row = measure_rule(workload, rounds=1)
    assert {"generated", "hand"} <= set(row.times)
    assert workload.name in report.rules([(10, row)])


ADJOINTS = [workload for topic in TOPICS for workload in topic.cases(10)]


@pytest.mark.parametrize("workload", ADJOINTS, ids=lambda workload: workload.name)
def test_adjoints_by_hand_agree(workload, monkeypatch):
    monkeypatch.setattr(measure, "BATCH", 0.0)
    found = [(workload.name, [compared(workload, rounds=1)] * 3)]
    assert workload.name in table(found)


@pytest.mark.parametrize("workload", second.cases(small=True), ids=lambda workload: workload.name)
def test_products_are_differences_of_gradients(workload):
    names = list(inspect.signature(workload.primal).parameters)
    wrt = workload.wrt if isinstance(workload.wrt, tuple) else (workload.wrt,)
    v = second.vectors(workload) if isinstance(workload.wrt, tuple) else (second.vectors(workload),)
    moves = dict(zip(wrt, v))

    def gradient(h):
        given = zip(names, workload.arguments)
        moved = (a + h * moves[n] if n in moves else a for n, a in given)
        found = grad(workload.primal, wrt)(*moved)
        return np.concatenate([np.ravel(part) for part in found])

    products = second.product(workload)(*workload.arguments)
    products = products if isinstance(workload.wrt, tuple) else (products,)
    found = np.concatenate([np.ravel(part) for part in products])
    h = 1e-4 * min(np.max(np.abs(step)) for step in moves.values())
    coarse, fine = ((gradient(s) - gradient(-s)) / (2 * s) for s in (h, h / 2))
    expected = fine + (fine - coarse) / 3.0
    assert np.max(np.abs(found - expected)) <= 1e-4 * np.max(np.abs(expected))


def test_a_wrong_gradient_is_noticed():
    with pytest.raises(AssertionError, match="differs"):
        measure.agree(np.ones(3), np.array([1.0, 1.0, 1.1]), 1e-3, "this one")


def test_nan_is_noticed():
    with pytest.raises(AssertionError, match="differs"):
        measure.agree(np.array([1.0, np.nan]), np.ones(2), 1e-3, "this one")


def test_the_summary_goes_between_the_marks():
    text = f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n"
    assert report.insert(text, "new") == text.replace("old", "new")


def test_checkpointed_steps_are_counted_and_agree():
    pytest.importorskip("checkpoint_schedules")
    ((kept, full),) = checkpoints.pairs((30,))
    assert full is not None and kept.snapshots == 7
    assert full.run == 30 < kept.run == kept.predicted <= 90
    assert f"| 30 | 7 | {kept.run} |" in report.checkpoints([(kept, full)])
