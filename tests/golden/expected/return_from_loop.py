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
        v = x[i]
        s = s + v * v
        returned_2 = s > limit
        tape.push(returned_2)
        returned = returned_2
        steps += 1
        if returned_2:
            break

    # Reverse sweep
    if not returned:
        s_bar = 1.0
        result_bar = 0.0
    else:
        s_bar = 0.0
        result_bar = 1.0
    x_bar = np.zeros_like(x)
    for i in reversed(range(steps)):
        returned_2 = tape.pop()
        if returned_2:
            # return s * 2.0
            s_bar += result_bar * 2.0
            result_bar = 0.0
        x_bar[i] = 2.0 * s_bar * x[i]
    return x_bar
