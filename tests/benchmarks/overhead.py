"""One float and four operations: what remains is overhead."""

from __future__ import annotations

import numpy as np

from tests.benchmarks.workload import Workload


def wave(x):
    return x * x * np.sin(x)


def wave_by_hand(x):
    return 2.0 * x * np.sin(x) + x * x * np.cos(x)


def workloads(small=False):
    return [Workload("x * x * sin(x), one float", wave, "x", wave_by_hand, (0.7,), number=10)]
