"""Loops in numbers and elements of arrays: the native gradient against C, JAX and the primal."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numba
import numpy as np

from autodiff import grad
from tests.benchmarks.measure import agree, interleaved
from tests.benchmarks.native import c, forms
from tests.native import programs


def roots(a):
    """The sum of the square roots, by Newton's iteration."""
    total = 0.0
    for k in range(len(a)):
        x = a[k]
        while abs(x * x - a[k]) > 1e-12 * a[k]:
            x = 0.5 * (x + a[k] / x)
        total += x
    return total


@dataclass(frozen=True, slots=True)
class Case:
    """A primal, its arguments, with respect to what, and what the issue allows against C."""

    title: str
    primal: Any
    arguments: tuple[Any, ...]
    wrt: tuple[int, ...]
    bar: float
    bar_primal: float


@dataclass(frozen=True, slots=True)
class Result:
    """Seconds: of each contender in each round, and of the first calls."""

    case: Case
    times: dict[str, list[float]]
    first: dict[str, float]

    def time(self, contender: str) -> float | None:
        return median(self.times[contender]) if contender in self.times else None

    def ratio(self, one: str, other: str) -> float | None:
        if one not in self.times or other not in self.times:
            return None
        return median(a / b for a, b in zip(self.times[one], self.times[other]))


def cases(small: bool = False) -> list[Case]:
    """W1 to W4 of the issue; with `small`, at sizes that take no time."""
    rng = np.random.default_rng(0)
    many, steps, cells = (50, 10, 20) if small else (100_000, 10_000, 1000)
    turns = 5 if small else 1000
    wave = np.sin(np.linspace(0.0, 6.0, cells))
    bodies: Any = rng.normal(size=(5, 3)), rng.normal(size=(5, 3)), rng.uniform(0.5, 1.0, size=5)
    burgers = (wave, 0.01, 1e-4, 0.01, turns)
    p = programs
    return [
        Case("W1 Rosenbrock", p.rosenbrock, (rng.normal(size=cells),), (0,), 1.25, 3.0),
        Case("W2 logistic", p.logistic, (0.3, 3.0, many), (0, 1), 1.1, 3.0),
        Case("W2 Newton", roots, (rng.uniform(0.5, 2.0, size=cells),), (0,), 1.1, 3.0),
        Case("W3 Lorenz", p.lorenz, (10.0, 28.0, 8 / 3, steps, 1e-4), (0, 1, 2), 1.1, 3.0),
        Case("W3 N-body", p.nbody, (*bodies, turns, 1e-3), (0, 1, 2), 1.3, 3.0),
        Case("W4 Burgers, loops", p.burgers_elements, burgers, (0, 1), 1.7, 7.0),
        Case("W4 Burgers, slices", p.burgers_slices, burgers, (0, 1), 1.7, 7.0),
    ]


def measure(case: Case, rounds: int = 15) -> Result:
    """Check that all gradients agree, then time them in turn."""
    name, arguments = case.primal.__name__, case.arguments
    wanted = grad(case.primal, case.wrt)(*arguments)
    library = c.compiled()
    contenders = {}
    if library is not None:
        contenders["C"] = c.adjoints(library)[name]
    if name in (found := forms.gradients()):
        contenders["JAX"] = found[name](case.wrt)
    primal = numba.njit(case.primal)
    native = grad(case.primal, case.wrt, backend="numba")
    contenders["native"] = native
    first = {"primal": _first(primal, arguments)}
    for other, gradient in contenders.items():
        first[other] = _first(gradient, arguments)
        agree(gradient(*arguments), wanted, 1e-8, f"{case.title}: {other}")
    times = interleaved({"primal": primal, **contenders}, arguments, rounds, time.process_time)
    return Result(case, times, first)


def _first(function: Any, arguments: Sequence[Any]) -> float:
    start = time.process_time()
    function(*arguments)
    return time.process_time() - start
