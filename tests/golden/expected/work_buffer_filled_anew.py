# Derivative of work_buffer_filled_anew (memory.py:74), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def work_buffer_filled_anew_grad(x, n):
    """Gradient of work_buffer_filled_anew (memory.py:74) with respect to x."""
    tape = Tape()

    # Forward sweep
    buf = np.empty_like(x)
    for i in range(n):
        buf[:] = (i + 1.0) * x
        tape.push(buf.copy())

    # Reverse sweep
    x_bar = np.zeros_like(x)
    for i in reversed(range(n)):
        buf = tape.pop()
        # s = s + np.sum(buf * x)
        x_bar += buf
        # buf[:] = (i + 1.0) * x
        x_bar += x * (i + 1.0)
    return x_bar
