# Derivative of branch_in_loop (loops.py:65), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def branch_in_loop_grad(x):
    """Gradient of branch_in_loop (loops.py:65) with respect to x."""
    tape = Tape()

    # Forward sweep
    s = 1.0
    for k in range(len(x)):
        branch = x[k] > 0.0
        if branch:
            tape.push(s)
            s = s * x[k]
        else:
            s = s - x[k]
        tape.push(branch)

    # Reverse sweep
    s_bar = 1.0
    x_bar = np.zeros_like(x)
    for k in reversed(range(len(x))):
        branch = tape.pop()
        if branch:
            s = tape.pop()
            # s = s * x[k]
            x_k_bar = s_bar * s
            s_bar = s_bar * x[k]
            x_bar[k] += x_k_bar
        else:
            # s = s - x[k]
            x_bar[k] -= s_bar
    return x_bar
