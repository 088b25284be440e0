"""A square root by Newton's method: a `while` loop on data. Damping makes it long."""

from __future__ import annotations

from tests.benchmarks.workload import Workload


def root(a, damping, tolerance):
    x = a
    while abs(x * x - a) > tolerance:
        x = x - damping * (x - a / x) / 2
    return x


def root_by_hand(a, damping, tolerance):
    tape = []
    push = tape.append
    x = a
    while abs(x * x - a) > tolerance:
        push(x)
        x = x - damping * (x - a / x) / 2

    half = damping / 2
    x_bar = 1.0
    a_bar = 0.0
    for x in reversed(tape):
        scaled = half * x_bar / x
        a_bar += scaled
        x_bar -= half * x_bar + scaled * a / x
    return a_bar + x_bar


def workloads(small=False):
    tolerance = 1e-6
    short = Workload("Newton, 20 steps", root, "a", root_by_hand, (1e5, 1.0, tolerance), number=2)
    if small:
        return [short]
    given = 1e5, 0.0031, tolerance
    long = Workload("Newton, damped, 1e4 steps", root, "a", root_by_hand, given, number=2)
    return [short, long]
