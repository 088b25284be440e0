"""Hessian-vector products against gradients: the issue allows four times as long."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff import grad, hvp
from tests.benchmarks.measure import Row, interleaved
from tests.benchmarks.suite import suite
from tests.benchmarks.workload import Workload

ABOUT = (
    "Written by `python -m tests.benchmarks second`. `hvp(f)(*args, v)` against `grad(f)(*args)` "
    "of the workloads above, and of Rosenbrock's function. Medians over interleaved rounds of the "
    "processor time; the bar is 4."
)


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def cases(small: bool = False) -> list[Workload]:
    """All workloads of the suite, and one more."""
    x = np.linspace(-1.0, 1.5, 10 if small else 100_000)
    name = f"Rosenbrock, {x.size:,} numbers"
    return [Workload(name, rosenbrock, "x", grad(rosenbrock), (x,)), *suite(small)]


def vectors(workload: Workload) -> Any:
    """A direction in the structure of the arguments in `wrt`."""
    given = dict(zip(inspect.signature(workload.primal).parameters, workload.arguments))

    def vector(name: str) -> Any:
        own = np.cos(np.arange(np.size(given[name])) + 1.0).reshape(np.shape(given[name]))
        return own if np.ndim(given[name]) else float(own)

    if isinstance(workload.wrt, tuple):
        return tuple(map(vector, workload.wrt))
    return vector(workload.wrt)


def product(workload: Workload) -> Callable[..., Any]:
    """The Hessian of a workload times its `vectors`, as a function of its arguments."""
    v, along = vectors(workload), hvp(workload.primal, workload.wrt)
    return lambda *arguments: along(*arguments, v)


def measure_second(workload: Workload, rounds: int = 15) -> Row:
    """Times of the gradient and of the product."""
    contenders = {"gradient": grad(workload.primal, workload.wrt), "hvp": product(workload)}
    for function in contenders.values():
        function(*workload.arguments)  # compiles it
    return Row(workload.name, interleaved(contenders, workload.arguments, rounds), 0.0)
