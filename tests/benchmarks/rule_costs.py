"""What the rules cost: generated code against a hand-written NumPy expression of the same adjoint.

Both are bare functions: what a call of a derivative takes beyond the generated function is the same
for all rules, and measured on its own (`costs.call_overhead`). The times of the peers are
those of a whole call, as their users pay it.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from autodiff import grad
from tests.benchmarks.measure import Row, agree, interleaved
from tests.benchmarks.peers import peers
from tests.benchmarks.workload import Workload


def measure_rule(workload: Workload, rounds: int = 9) -> Row:
    """Check that all gradients agree, then time them in turn."""
    start = time.process_time()
    generated = bare(workload)
    first = time.process_time() - start
    others = peers(workload)
    contenders = {"generated": generated, "hand": workload.hand}
    calls = {name: _bound(f, workload.arguments) for name, f in contenders.items()}
    calls |= {name: _bound(f, args) for name, (f, args) in others.items()}
    expected = workload.hand(*workload.arguments)
    for name, call in calls.items():
        found = call()
        several = isinstance(found, (tuple, list))
        arrays = tuple(map(np.asarray, found)) if several else np.asarray(found)
        agree(arrays, expected, workload.tolerance, f"{workload.name}: {name}")
    # The peers have threads of their own; all of the process counts.
    return Row(workload.name, interleaved(calls, (), rounds, time.process_time), first)


def bare(workload: Workload) -> Callable[..., Any]:
    """The generated function itself, from the file that a user would save."""
    derivative = grad(workload.primal, wrt=workload.wrt)
    derivative(*workload.arguments)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "saved.py"
        derivative.save(path)
        module = ModuleType("saved")
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), vars(module))
    function: Callable[..., Any] = getattr(module, f"{workload.primal.__name__}_grad")
    return function


def _bound(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[[], Any]:
    return lambda: function(*arguments)
