"""Medians over interleaved rounds: what is compared is timed in turn, in one run, on one core."""

from __future__ import annotations

import contextlib
import gc
import importlib
import inspect
import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from statistics import median
from typing import Any

import numpy as np

from autodiff import grad
from tests.benchmarks.workload import Workload, ported

BATCH = 0.01  # seconds that one measurement should take at least
SLOW = 2.0  # a contender that takes longer is measured once

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Row:
    """Seconds per call of one workload's contenders, and of the first call of the gradient."""

    name: str
    times: dict[str, list[float]]
    first: float
    number: int = 0

    def time(self, contender: str) -> float | None:
        return median(self.times[contender]) if contender in self.times else None

    def ratio(self, contender: str, reference: str) -> float | None:
        """The median over the rounds of the quotient of two contenders' times."""
        if contender not in self.times or reference not in self.times:
            return None
        return median(a / b for a, b in zip(self.times[contender], self.times[reference]))


def measure(workload: Workload, rounds: int = 15) -> Row:
    """Check that all gradients agree, then time them in turn."""
    generated = grad(workload.primal, wrt=workload.wrt)
    start = time.process_time()
    generated(*workload.arguments)
    first = time.process_time() - start

    gradients = {"generated": generated, "hand": workload.hand}
    if workload.tuned:
        gradients["tuned"] = workload.tuned
    if autograd := _by_autograd(workload):
        gradients["autograd"] = autograd
    once = {name: _once(gradient, workload.arguments) for name, gradient in gradients.items()}
    for name in gradients:
        agree(once[name][1], once["hand"][1], workload.tolerance, f"{workload.name}: {name}")

    slow = {name: [seconds] for name, (seconds, _) in once.items() if seconds > SLOW}
    quick = {name: f for name, f in gradients.items() if name not in slow}
    times = interleaved({"primal": workload.primal, **quick}, workload.arguments, rounds)
    return Row(workload.name, {**times, **slow}, first, workload.number)


def agree(found: Any, expected: Any, tolerance: float, what: str) -> None:
    """Raise unless two gradients agree, relative to the largest entry."""
    found, expected = (g if isinstance(g, tuple) else (g,) for g in (found, expected))
    for a, b in zip(found, expected, strict=True):
        scale = np.max(np.abs(b))
        if np.shape(a) != np.shape(b) or not np.max(np.abs(a - b)) <= tolerance * scale:
            raise AssertionError(f"{what} differs from the gradient by hand: {a} against {b}")


def interleaved(
    contenders: dict[str, Callable[..., Any]],
    arguments: Sequence[Any],
    rounds: int,
    clock: Clock = time.thread_time,
) -> dict[str, list[float]]:
    """Seconds per call of each contender, one measurement per round, in an order that is drawn.

    If the order only turned, each would always come after the same one, and find the caches and
    the memory as that has left them: of two that are the same, one took 1.4 times as long.
    """
    counts = {name: _count(f, arguments, clock) for name, f in contenders.items()}
    times: dict[str, list[float]] = {name: [] for name in contenders}
    names, drawn = list(contenders), random.Random(0)
    for _ in range(rounds):
        gc.collect()
        drawn.shuffle(names)
        for name in names:
            times[name].append(_batch(contenders[name], arguments, counts[name], clock))
    return times


@contextlib.contextmanager
def quiet(core: int | None = None) -> Iterator[None]:
    """One core, no garbage collection."""
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_setaffinity") else None
    if cores:
        os.sched_setaffinity(0, {max(cores) if core is None else core})
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
        if cores:
            os.sched_setaffinity(0, cores)


def _by_autograd(workload: Workload) -> Callable[..., Any] | None:
    """The gradient by HIPS autograd where it is installed and does not refuse the primal."""
    if workload.refused:
        return None
    try:
        autograd = importlib.import_module("autograd")
    except ImportError:
        return None
    names = list(inspect.signature(workload.primal).parameters)
    several = isinstance(workload.wrt, tuple)
    wrt = tuple(map(names.index, workload.wrt)) if several else names.index(workload.wrt)
    return autograd.grad(ported(workload.primal, autograd.numpy), wrt)


def _once(function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = function(*arguments)
    return time.process_time() - start, result


def _count(function: Callable[..., Any], arguments: Sequence[Any], clock: Clock) -> int:
    """How many calls fill a batch."""
    count = 1
    while (seconds := _batch(function, arguments, count, clock) * count) < BATCH:
        count = max(2 * count, int(count * BATCH / max(seconds, 1e-9)))
    return count


def _batch(
    function: Callable[..., Any], arguments: Sequence[Any], count: int, clock: Clock
) -> float:
    """Seconds per call, over `count` calls, of this thread or process: others do not count."""
    start = clock()
    for _ in repeat(None, count):
        function(*arguments)
    return (clock() - start) / count
