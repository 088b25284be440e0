"""Memory and steps of checkpointed loops, against the full tape and what the schedule predicts.

Each case runs in a process of its own, whose largest resident memory counts: interpreter, NumPy,
compiler, and all that the gradient keeps.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from autodiff import checkpointed, grad
from autodiff.runtime import checkpoints

POINTS = 1000
SIZES = (1_000, 10_000, 30_000)
MILLION = 1_000_000
FULL = 100_000  # steps up to which all states are also kept, for comparison


def advance(u, nu, dx, dt):
    """One step of Burgers' equation, in place: upwind advection, central diffusion."""
    un = u.copy()
    u[1:-1] = (
        un[1:-1]
        - un[1:-1] * dt / dx * (un[1:-1] - un[:-2])
        + nu * dt / dx**2 * (un[2:] - 2 * un[1:-1] + un[:-2])
    )


def misfit(u0, nu, target, dx, dt, steps, snapshots):
    """The distance from a target, summed over all steps: no adjoint dies out on the way back."""
    u = u0.copy()
    total = 0.0
    for _ in checkpointed(range(steps), snapshots=snapshots):
        advance(u, nu, dx, dt)
        total += dt * np.sum((u - target) ** 2)
    return total


def misfit_on_tape(u0, nu, target, dx, dt, steps, snapshots):
    """The same, without checkpoints."""
    u = u0.copy()
    total = 0.0
    for _ in range(steps):
        advance(u, nu, dx, dt)
        total += dt * np.sum((u - target) ** 2)
    return total


def arguments(steps: int, snapshots: int) -> tuple[Any, ...]:
    x = np.linspace(0.0, 2 * np.pi, POINTS)
    dx = x[1] - x[0]
    return 1.5 + np.sin(x), 0.5 * dx, 1.0 + np.cos(x) / 2, dx, 0.15 * dx, steps, snapshots


def snapshots_for(steps: int, runs: int = 2) -> int:
    """The fewest snapshots with which no step is run more than `runs` times more than once."""
    return next(s for s in range(1, steps + 1) if comb(s + runs, runs) >= steps)


@dataclass(frozen=True, slots=True)
class Case:
    """What one process found.

    run: steps that were computed, in all; megabytes: its largest resident memory, `before` what it
    was before the gradient was asked for; seconds of the gradient and of the primal.
    """

    steps: int
    snapshots: int
    run: int
    predicted: int
    before: float
    megabytes: float
    seconds: float
    primal: float
    gradient: tuple[float, ...]


def case(steps: int, snapshots: int) -> Case:
    """One gradient, in this process; without snapshots all states are kept."""
    primal = misfit if snapshots else misfit_on_tape
    given = arguments(steps, snapshots)
    derivative = grad(primal, wrt=("u0", "nu"))
    derivative(*arguments(3, 2))  # compiles it
    start = time.process_time()
    primal(*given)
    seconds = time.process_time() - start
    count = _Count()
    checkpoints.Loop = count.loop()  # type: ignore[misc]
    before = peak()
    start = time.process_time()
    u_bar, nu_bar = derivative(*given)
    taken = time.process_time() - start
    return Case(
        steps,
        snapshots,
        count.steps if snapshots else steps,
        predicted(steps, snapshots) if snapshots else steps,
        before,
        peak(),
        taken,
        seconds,
        (*u_bar.tolist(), float(nu_bar)),
    )


class _Count:
    """Counts the steps that loops compute, whether with or without their pullback."""

    def __init__(self) -> None:
        self.steps = 0

    def loop(self) -> type:
        def counting(function: Callable[..., Any]) -> Callable[..., Any]:
            def counted(*args: Any) -> Any:
                self.steps += 1
                return function(*args)

            return counted

        class Counted(checkpoints.Loop):
            def __init__(self, step: Any, step_vjp: Any, *rest: Any) -> None:
                super().__init__(counting(step), counting(step_vjp), *rest)

        return Counted


def predicted(steps: int, snapshots: int) -> int:
    """How many steps a binomial schedule computes (Griewank and Walther 2000, equation 2)."""
    runs = next(r for r in range(steps + 1) if comb(snapshots + r, r) >= steps)
    return steps + runs * steps - comb(snapshots + runs, runs - 1) if runs else steps


def peak() -> float:
    """The largest resident memory of this process up to now, in MB."""
    status = Path("/proc/self/status")
    if status.exists():  # getrusage would count the parent from which this process was forked
        line = next(s for s in status.read_text().splitlines() if s.startswith("VmHWM"))
        return int(line.split()[1]) * 1024 / 1e6
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / 1e6 if sys.platform == "darwin" else used * 1024 / 1e6


def in_a_process(steps: int, snapshots: int) -> Case:
    command = [sys.executable, "-m", __name__, str(steps), str(snapshots)]
    run = subprocess.run(command, env=os.environ, capture_output=True, text=True, check=True)
    return Case(**json.loads(run.stdout))


def pairs(sizes: tuple[int, ...]) -> list[tuple[Case, Case | None]]:
    """For each number of steps the checkpointed loop, and the full tape where it is not too long.

    Their gradients must agree, and the steps be those of the schedule.
    """
    found = []
    for steps in sizes:
        kept = in_a_process(steps, snapshots_for(steps))
        assert kept.run == kept.predicted, f"{kept.run} steps, {kept.predicted} predicted"
        full = in_a_process(steps, 0) if steps <= FULL else None
        if full:
            assert np.allclose(kept.gradient, full.gradient, rtol=1e-9)
        found.append((kept, full))
    return found


ABOUT = (
    "Written by `python -m tests.benchmarks checkpoints`. The gradient of a misfit that is summed "
    f"over all steps of Burgers' equation, {POINTS} points, in place "
    "(`tests/benchmarks/checkpoints.py`), with as many snapshots as it takes to run no step more "
    "than three times, and with the full tape. Memory: the largest resident set of a process of "
    "its own, with interpreter, NumPy and autodiff; in brackets what the gradient took beyond "
    "them. Steps are counted as they run, and are those that the schedule predicts. Processor "
    "time, one run. Both gradients agree to 1e-9."
)

if __name__ == "__main__":
    print(json.dumps(asdict(case(*map(int, sys.argv[1:])))))
