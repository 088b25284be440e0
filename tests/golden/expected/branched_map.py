# Derivative of branched_map (loops.py:26), written by autodiff.

import math

from autodiff.runtime import Tape


def branched_map_grad(x, r, n):
    """Gradient of branched_map (loops.py:26) with respect to x, r."""
    tape = Tape()

    # Forward sweep
    for _ in range(n):
        tape.push(x)
        if x > 0.5:
            x = r * x * (1.0 - x)
        else:
            x = r * x * (1.0 - x) + 0.01 * math.sin(x)

    # Reverse sweep
    x_bar = 1.0
    r_bar = 0.0
    for x in reversed(tape):
        if x > 0.5:
            # x = r * x * (1.0 - x)
            r_times_x_bar = x_bar * (1.0 - x)
            x_bar = r_times_x_bar * r - x_bar * (r * x)
            r_bar += r_times_x_bar * x
        else:
            # x = r * x * (1.0 - x) + 0.01 * math.sin(x)
            r_times_x_bar = x_bar * (1.0 - x)
            x_bar = x_bar * 0.01 * math.cos(x) - x_bar * (r * x)
            x_bar += r_times_x_bar * r
            r_bar += r_times_x_bar * x
    return x_bar, r_bar
