"""What a user pays besides arithmetic: the import, the compilation, each call."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import subprocess
import sys
import tempfile
import time
from statistics import median
from types import FunctionType

import numpy as np

from autodiff import grad
from tests.benchmarks.measure import interleaved
from tests.benchmarks.overhead import wave

IMPORT = """
import time, numpy
start = time.process_time()
import autodiff
print(time.process_time() - start)
"""

COLD = """
import numpy as np
from tests.benchmarks.costs import ARGUMENTS, compile_once, pendulum
print(compile_once(pendulum))
"""


def pendulum(theta, omega, length, damping, torque, h, steps):
    """Twenty lines: a damped pendulum with a motor that is switched, and what it costs to drive."""
    g = 9.81
    inertia = length**2
    cost = 0.0
    highest = theta
    for k in range(steps):
        drive = torque * np.tanh(3.0 * omega)
        if omega * theta > 0.0:
            drive = drive + 0.5 * torque
        else:
            drive = drive - 0.25 * torque * theta
        pull = g / length * np.sin(theta)
        friction = damping * omega * abs(omega)
        acceleration = drive / inertia - pull - friction
        middle = omega + 0.5 * h * acceleration
        theta = theta + h * middle
        omega = middle + 0.5 * h * (drive / inertia - g / length * np.sin(theta))
        highest = max(highest, theta)
        cost = cost + h * (drive**2 + 0.1 * k * h)
    energy = 0.5 * inertia * omega**2 + g * length * (1.0 - np.cos(theta))
    return energy - 0.01 * cost + 0.001 * highest


ARGUMENTS = (0.3, 0.1, 1.2, 0.05, 2.0, 0.01, 50)


def compile_once(function: FunctionType) -> float:
    """Seconds that a compilation takes, from the function to the loaded derivative."""
    fresh = FunctionType(function.__code__, function.__globals__, function.__name__)
    derivative = grad(fresh, wrt=("theta", "omega", "length", "damping", "torque"))
    start = time.process_time()
    derivative.source_for(*ARGUMENTS)
    return time.process_time() - start


def compile_time(repeats: int = 15) -> tuple[float, float]:
    """Seconds for the first compilation of a process, and for a later one (medians)."""
    _in_a_process(COLD)  # writes the byte code
    cold = median(_in_a_process(COLD) for _ in range(5))
    return cold, median(compile_once(pendulum) for _ in range(repeats))


def import_time() -> float:
    """Seconds that `import autodiff` takes where NumPy is imported already (median)."""
    _in_a_process(IMPORT)  # writes the byte code
    return median(_in_a_process(IMPORT) for _ in range(7))


def call_overhead() -> float:
    """Seconds that a call of a compiled derivative takes beyond the bare generated function."""
    derivative = grad(wave)
    derivative(0.7)
    namespace = {"np": np}
    exec(derivative.source, namespace)
    bare = namespace["wave_grad"]
    times = interleaved({"derivative": derivative, "bare": bare}, (0.7,), 31)
    return median(a - b for a, b in zip(times["derivative"], times["bare"]))


def _in_a_process(code: str) -> float:
    """What the code prints when it runs in a new process, which finds byte code as a user's does.

    Where Python may not write byte code it would compile every module again.
    """
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": _byte_code()}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(run.stdout)


@functools.cache
def _byte_code() -> str:
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    return folder
