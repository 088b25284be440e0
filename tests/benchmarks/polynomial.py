"""Horner's scheme over the elements of an array: a loop of scalar operations with a short tape."""

from __future__ import annotations

import numpy as np

from tests.benchmarks.workload import Workload


def horner(a, x):
    y = 0.0
    for k in range(len(a)):
        y = y * x + a[k]
    return y


def horner_by_hand(a, x):
    """The adjoint of the design; the coefficients are read once, each adjoint is written once."""
    tape = []
    push = tape.append
    y = 0.0
    for coefficient in a:
        push(y)
        y = y * x + coefficient

    a_bar = np.empty_like(a)
    x_bar = 0.0
    y_bar = 1.0
    for k in range(len(a) - 1, -1, -1):
        a_bar[k] = y_bar
        x_bar += y_bar * tape[k]
        y_bar = y_bar * x
    return a_bar, x_bar


def horner_in_floats(a, x):
    """The same on Python floats: no NumPy scalar is ever made."""
    tape = []
    y = 0.0
    for coefficient in a.tolist():
        tape.append(y)
        y = y * x + coefficient

    adjoints = []
    x_bar = 0.0
    y_bar = 1.0
    for y in reversed(tape):
        adjoints.append(y_bar)
        x_bar += y_bar * y
        y_bar = y_bar * x
    return np.array(adjoints[::-1]), x_bar


def workloads(small=False):
    n = 10 if small else 1000
    coefficients = np.random.default_rng(0).standard_normal(n)
    return [
        Workload(
            f"polynomial, n = {n}", horner, ("a", "x"), horner_by_hand, (coefficients, 0.99),
            tuned=horner_in_floats,
        )
    ]  # fmt: skip
