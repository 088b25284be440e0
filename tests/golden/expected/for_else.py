# Derivative of for_else (loops.py:114), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def for_else_grad(x, limit):
    """Gradient of for_else (loops.py:114) with respect to x."""
    tape = Tape()

    # Forward sweep
    s = 1.0
    stop = False
    steps = 0
    for i in range(len(x)):
        tape.push(s)
        v = x[i]
        s = s * v
        stop_2 = s > limit
        stop = stop_2
        steps += 1
        if stop_2:
            break

    # Reverse sweep
    if not stop:
        # s = s * s
        s_bar = 2.0 * s
    else:
        s_bar = 1.0
    x_bar = np.zeros_like(x)
    for i in reversed(range(steps)):
        s = tape.pop()
        x_bar[i] = s_bar * s
        # s = s * v
        s_bar = s_bar * x[i]
    return x_bar
