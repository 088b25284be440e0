# Derivative of return_from_loop (loops.py:126), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def return_from_loop_grad(x, limit):
    """Gradient of return_from_loop (loops.py:126) with respect to x."""
    tape = Tape()

    # Forward sweep
    s = 0.0
    returned = False
    steps = 0
    for i in range(len(x)):
        steps += 1
        v = x[i]
        s = s + v * v
        returned = s > limit
        tape.push(returned)
        if returned:
            break

    # Reverse sweep
    if not returned:
        s_bar = 1.0
        result_bar = 0.0
    else:
        result_bar = 1.0
        s_bar = 0.0
    x_seq_bar = np.zeros_like(x)
    for i in reversed(range(steps)):
        returned = tape.pop()
        # for v in x:
        v = x[i]
        if returned:
            # return s * 2.0
            s_bar += result_bar * 2.0
            result_bar = 0.0
        # for v in x:
        x_seq_bar[i] = 2.0 * s_bar * v
    return x_seq_bar
