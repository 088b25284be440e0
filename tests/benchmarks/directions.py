"""One sweep along all directions against one sweep for each, for Jacobians and Hessians.

`python -m tests.benchmarks directions` writes the table.
"""

from __future__ import annotations

import time
from statistics import median
from typing import Any

import numpy as np

from autodiff.derivatives.derivative import Derivative
from autodiff.transforms.hessian import ForwardJacobian
from tests.benchmarks import gmm, lorenz
from tests.benchmarks.measure import quiet


class Single(ForwardJacobian):
    """The same by one sweep for each direction."""

    _directions = False


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def residuals(x):
    return np.concatenate([10.0 * (x[1:] - x[:-1] ** 2), 1.0 - x[:-1]])


def by_elements(x):
    total = 0.0
    for i in range(len(x) - 1):
        total = total + 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return total


def heat(u, steps):
    for _ in range(steps):
        v = u.copy()
        v[1:-1] = u[1:-1] + 0.2 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u = v
    return u


def cases() -> list[tuple[str, Any, tuple[Any, ...], Any]]:
    """Name, function, arguments and what it is differentiated with respect to."""
    x = np.linspace(-1.0, 1.0, 100)
    mixture = next(w for w in gmm.workloads() if "K = 5" in w.name)
    system = lorenz.workloads()[0]
    start = (*system.arguments[:-1], 500)

    def hessian_of(function: Any, wrt: Any) -> Derivative:
        return Derivative(function, "grad", wrt, False, {})

    return [
        ("Jacobian, Rosenbrock's residuals, n = 100", residuals, (x,), 0),
        ("Jacobian, heat equation, n = 100, 100 steps", heat, (x, 100), 0),
        ("Hessian, Rosenbrock, n = 100", hessian_of(rosenbrock, 0), (x,), 0),
        ("Hessian, Rosenbrock by elements, n = 100", hessian_of(by_elements, 0), (x,), 0),
        (
            f"Hessian, {mixture.name}",
            hessian_of(mixture.primal, mixture.wrt), mixture.arguments, mixture.wrt,
        ),
        ("Jacobian, Lorenz, 6 numbers, 500 steps", system.primal, start, system.wrt),
        (
            "Hessian, Lorenz, 6 numbers, 500 steps",
            hessian_of(system.primal, system.wrt), start, system.wrt,
        ),
    ]


def measured(rounds: int = 9) -> list[tuple[str, float, float]]:
    """For each case the seconds of one sweep, and of single sweeps; medians."""
    found = []
    with quiet():
        for name, function, arguments, wrt in cases():
            both = [cls(function, "jvp", wrt, False, {}) for cls in (ForwardJacobian, Single)]
            one, other = (derivative(*arguments) for derivative in both)
            pairs = zip(_flat(one), _flat(other), strict=True)
            assert all(np.allclose(a, b, rtol=1e-6, atol=1e-6) for a, b in pairs), name
            times: tuple[list[float], list[float]] = ([], [])
            for _ in range(rounds):
                for own, derivative in zip(times, both):
                    start = time.process_time()
                    derivative(*arguments)
                    own.append(time.process_time() - start)
            found.append((name, median(times[0]), median(times[1])))
            print(f"{name}: {found[-1][1] * 1e3:.3g} ms, {found[-1][2] * 1e3:.3g} ms", flush=True)
    return found


def table(found: list[tuple[str, float, float]]) -> str:
    """The figures as a table."""
    lines = ["| derivative | one sweep | single sweeps | single / one |"]
    lines += ["| --- | ---: | ---: | ---: |"]
    lines += [
        f"| {name} | {one * 1e3:.3g} ms | {single * 1e3:.3g} ms | {single / one:.1f} |"
        for name, one, single in found
    ]
    return "\n".join(lines)


def _flat(value: Any) -> list[Any]:
    if isinstance(value, tuple):
        return [leaf for part in value for leaf in _flat(part)]
    return [value]
