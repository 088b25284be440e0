# Derivative of branch_in_loop (loops.py:65), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def branch_in_loop_grad(x):
    """Gradient of branch_in_loop (loops.py:65) with respect to x."""
    tape = Tape()

    # Forward sweep
    s = 1.0
    for k in range(len(x)):
        tape.push(s)
        if x[k] > 0.0:
            s = s * x[k]
        else:
            s = s - x[k]

    # Reverse sweep
    x_bar = np.zeros_like(x)
    s_bar = 1.0
    for k in reversed(range(len(x))):
        s = tape.pop()
        if x[k] > 0.0:
            # s = s * x[k]
            x_bar[k] += s_bar * s
            s_bar = s_bar * x[k]
        else:
            # s = s - x[k]
            x_bar[k] -= s_bar
    return x_bar
