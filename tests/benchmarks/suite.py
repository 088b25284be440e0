"""All workloads, in the order of the table."""

from __future__ import annotations

from tests.benchmarks import (
    burgers,
    cavity,
    chain,
    elements,
    gmm,
    heat,
    lorenz,
    lstm,
    mlp,
    newton,
    overhead,
    polynomial,
)
from tests.benchmarks.workload import Workload

IN_PLACE = (burgers, heat, cavity, lstm)
"""Workloads that store into arrays, which autograd and JAX refuse."""


def suite(small: bool = False) -> list[Workload]:
    """Every workload; with `small`, at sizes that take no time, for the smoke test."""
    files = (polynomial, newton, lorenz, mlp, gmm, chain, overhead, *IN_PLACE, elements)
    return [workload for file in files for workload in file.workloads(small)]
