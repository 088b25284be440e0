"""All workloads, in the order of the table."""

from __future__ import annotations

from tests.benchmarks import chain, gmm, lorenz, mlp, newton, overhead, polynomial
from tests.benchmarks.workload import Workload


def suite(small: bool = False) -> list[Workload]:
    """Every workload; with `small`, at sizes that take no time, for the smoke test."""
    files = (polynomial, newton, lorenz, mlp, gmm, chain, overhead)
    return [workload for file in files for workload in file.workloads(small)]
