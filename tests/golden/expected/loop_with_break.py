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
        v = x[i]
        stop = s > limit
        value_stop = not stop
        tape.push(value_stop)
        if value_stop:
            s = s + v * v
        steps += 1
        if stop:
            break

    # Reverse sweep
    x_bar = np.zeros_like(x)
    for i in reversed(range(steps)):
        value_stop = tape.pop()
        # s = s + v * v
        v = x[i]
        if value_stop:
            # s = s + v * v
            v_bar = 2.0 * v
        else:
            v_bar = 0.0
        x_bar[i] = v_bar
    return x_bar
