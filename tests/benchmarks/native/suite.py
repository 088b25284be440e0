"""The native gradient against C, hand-written NumPy, other tools and the primal."""

from __future__ import annotations

import functools
import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numba
import numpy as np
from numba.core.errors import NumbaError

from autodiff import grad
from tests.benchmarks import bundle, gmm
from tests.benchmarks.measure import SLOW, agree, interleaved
from tests.benchmarks.native import arrays, c, eager, forms, kernels, symbolic
from tests.benchmarks.native.peak import peak
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


PEERS = {
    "JAX": forms.gradients,
    "CasADi": symbolic.gradients,
    "PyTorch": eager.gradients,
    "torch.compile": functools.partial(eager.gradients, compiled=True),
}
"""By the name of a tool: what gives its gradients, by the name of the primal."""


@dataclass(frozen=True, slots=True)
class Case:
    """A primal, its arguments, with respect to what, and what the issue allows against C."""

    title: str
    primal: Any
    arguments: tuple[Any, ...]
    wrt: tuple[int, ...]
    bar: float | None = None
    bar_primal: float | None = None
    others: dict[str, Any] = field(default_factory=dict)
    """Further gradients, by name."""


@dataclass(frozen=True, slots=True)
class Result:
    """Seconds: of each contender in each round, and of the first calls; bytes at the peak."""

    case: Case
    times: dict[str, list[float]]
    first: dict[str, float]
    peak: int | None = None

    def time(self, contender: str) -> float | None:
        return median(self.times[contender]) if contender in self.times else None

    def ratio(self, one: str, other: str) -> float | None:
        if one not in self.times or other not in self.times:
            return None
        return median(a / b for a, b in zip(self.times[one], self.times[other]))


def cases(small: bool = False) -> list[Case]:
    """W1 to W10 of the issue; with `small`, at sizes that take no time."""
    rng = np.random.default_rng(0)
    many, steps, cells = (50, 10, 20) if small else (100_000, 10_000, 1000)
    turns = 5 if small else 1000
    wave = np.sin(np.linspace(0.0, 6.0, cells))
    bodies: Any = rng.normal(size=(5, 3)), rng.normal(size=(5, 3)), rng.uniform(0.5, 1.0, size=5)
    burgers = (wave, 0.01, 1e-4, 0.01, turns)
    p, lstm = programs, kernels.memory_cells
    alphas, means, icf, points, _, gamma, m = gmm.read(
        gmm.FILES["GMM, d = 10, K = 25"], 4 if small else None
    )
    limit = 3 if small else None
    whole = [
        Case(
            f"{number}{workload.name}",
            workload.primal,
            workload.arguments,
            arrays.places(workload),
            others=arrays.others(workload),
        )
        for number, workload in arrays.workloads(small)
    ]
    return [
        Case("W1 Rosenbrock", p.rosenbrock, (rng.normal(size=cells),), (0,), 1.25, 3.0),
        Case("W2 logistic", p.logistic, (0.3, 3.0, many), (0, 1), 1.1, 3.0),
        Case("W2 Newton", roots, (rng.uniform(0.5, 2.0, size=cells),), (0,), 1.1, 3.0),
        Case("W3 Lorenz", p.lorenz, (10.0, 28.0, 8 / 3, steps, 1e-4), (0, 1, 2), 1.1, 3.0),
        Case("W3 N-body", p.nbody, (*bodies, turns, 1e-3), (0, 1, 2), 1.3, 3.0),
        Case("W4 Burgers, loops", p.burgers_elements, burgers, (0, 1), 1.7, 7.0),
        Case("W4 Burgers, slices", p.burgers_slices, burgers, (0, 1), 1.7, 7.0),
        Case("W6 GMM", kernels.mixture, (alphas, means, icf, points, gamma, m), (0, 1, 2)),
        Case("W7 LSTM", lstm, kernels.memory_cells_arguments(limit), (0, 1), 1.15, 3.0),
        Case("W8 bundle", bundle.bundle, bundle.arguments(limit), (0, 1, 2), 1.3, 3.0),
        *whole,
    ]


def measure(case: Case, rounds: int = 15) -> Result:
    """Check that all gradients agree, then time them in turn."""
    name, arguments = case.primal.__name__, case.arguments
    generated = grad(case.primal, case.wrt)
    start = time.process_time()
    wanted = generated(*arguments)
    first = {"Python": time.process_time() - start}
    library = c.compiled()
    contenders = dict(case.others)
    if library is not None and name in (written := c.adjoints(library)):
        contenders["C"] = written[name]
    for tool, peer in PEERS.items():
        if name in (written := peer()):
            contenders[tool] = written[name](case.wrt)
    native = grad(case.primal, case.wrt, backend="numba")
    contenders["native"] = native
    primal = numba.njit(case.primal)
    try:
        first["primal"] = _first(primal, arguments)
        timed = {"primal": primal}
    except NumbaError:  # plain helpers, functions that Numba lacks
        timed = {}
    once = {"Python": first["Python"]}
    for other, gradient in contenders.items():
        first[other] = _first(gradient, arguments)
        start = time.process_time()
        found = gradient(*arguments)
        once[other] = time.process_time() - start
        found = tuple(map(np.asarray, found if isinstance(found, tuple) else (found,)))
        agree(found, wanted, 1e-8, f"{case.title}: {other}")
    contenders["Python"] = generated
    slow = {name: [seconds] for name, seconds in once.items() if seconds > SLOW}
    quick = {name: f for name, f in contenders.items() if name not in slow}
    times = interleaved({**timed, **quick}, arguments, rounds, time.process_time)
    return Result(case, {**times, **slow}, first, peak(native, arguments))


def _first(function: Any, arguments: Sequence[Any]) -> float:
    """Seconds of a call, and of the compilers that it starts."""
    start = _spent()
    function(*arguments)
    return _spent() - start


def _spent() -> float:
    """Processor time of this process and of its children that have ended."""
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def by_elements() -> list[tuple[str, float, float]]:
    """Seconds that PyTorch and the Python backend take for the same loops over elements."""
    rows = []
    for title, primal, gradient, wrt, arguments in eager.by_elements():
        own = grad(primal, wrt)
        wanted = own(*arguments)
        agree(tuple(map(np.asarray, gradient(*arguments))), wanted, 1e-8, title)
        times = interleaved({"torch": gradient, "own": own}, arguments, 3, time.process_time)
        rows.append((title, median(times["torch"]), median(times["own"])))
    return rows
