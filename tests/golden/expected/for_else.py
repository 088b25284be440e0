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
        steps += 1
        v = x[i]
        tape.push(s)
        s = s * v
        stop = s > limit
        if stop:
            break
    branch = not stop
    if branch:
        tape.push(s)

    # Reverse sweep
    if branch:
        s = tape.pop()
        # s = s * s
        s_bar = 2.0 * s
    else:
        s_bar = 1.0
    x_seq_bar = np.zeros_like(x)
    for i in reversed(range(steps)):
        # for v in x:
        v = x[i]
        s = tape.pop()
        # s = s * v
        v_bar = s_bar * s
        s_bar = s_bar * v
        # for v in x:
        x_seq_bar[i] = v_bar
    return x_seq_bar
