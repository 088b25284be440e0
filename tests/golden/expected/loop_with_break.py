# Derivative of loop_with_break (loops.py:94), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def loop_with_break_grad(x, limit):
    """Gradient of loop_with_break (loops.py:94) with respect to x."""
    tape = Tape()

    # Forward sweep
    s = 0.0
    steps = 0
    for i in range(len(x)):
        steps += 1
        v = x[i]
        stop = s > limit
        branch = not stop
        if branch:
            s = s + v * v
        tape.push(branch)
        if stop:
            break

    # Reverse sweep
    x_seq_bar = np.zeros_like(x)
    for i in reversed(range(steps)):
        branch = tape.pop()
        # for v in x:
        v = x[i]
        if branch:
            # s = s + v * v
            v_bar = 2.0 * v
        else:
            v_bar = 0.0
        # for v in x:
        x_seq_bar[i] = v_bar
    return x_seq_bar
