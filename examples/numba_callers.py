"""Code that Numba compiles calls a derivative, without going back to Python.

    python examples/numba_callers.py            # --source prints the generated code

Many short descents in one jitted loop: from each of 1,000 starts Newton's method looks for the
foot of the perpendicular on a curve. A call of a derivative from Python costs microseconds, which
here would be nearly all; `.native_for(...)` gives the compiled function for such arguments. The
last line compares the sum of all distances with that of a loop over the points in Python.
"""

from __future__ import annotations

import math
import sys
import time

import numba
import numpy as np

from autodiff import grad


@numba.njit
def half_square(t, x, y):
    """Half the squared distance of a point from the curve (t, sin 2t)."""
    across = math.sin(2.0 * t) - y
    return 0.5 * (t - x) * (t - x) + 0.5 * across * across


slope = grad(half_square, backend="numba").native_for(0.5, 0.5, 0.5)
curvature = grad(grad(half_square), backend="numba").native_for(0.5, 0.5, 0.5)


@numba.njit
def foot(x, y):
    """Where on the curve a point is nearest, as found from the place above or below it."""
    t = x
    for _ in range(50):
        bend = curvature(t, x, y)
        step = slope(t, x, y) / (bend if bend > 0.5 else 4.0)
        t -= step
        if abs(step) < 1e-13:
            break
    return t


@numba.njit
def distances(points):
    total = 0.0
    for x, y in points:
        total += math.sqrt(2.0 * half_square(foot(x, y), x, y))
    return total


def main():
    points = np.random.default_rng(0).uniform(-2.0, 2.0, (1000, 2))
    if "--source" in sys.argv:
        print(grad(half_square).source_for(0.5, 0.5, 0.5))
    distances(points)  # compiles
    start = time.perf_counter()
    total = distances(points)
    native = time.perf_counter() - start
    start = time.perf_counter()
    expected = distances.py_func(points)
    print(f"1,000 points: {native * 1e3:.2f} ms; with the loop over them in Python ", end="")
    print(f"{(time.perf_counter() - start) * 1e3:.2f} ms")
    print(f"sum of all distances: {total:.9f} (expected {expected:.9f})")


if __name__ == "__main__":
    main()
