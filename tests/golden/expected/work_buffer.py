# Derivative of work_buffer (memory.py:64), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def work_buffer_grad(x):
    """Gradient of work_buffer (memory.py:64) with respect to x."""
    tape = Tape()

    # Forward sweep
    buf = np.zeros(3)
    for i in range(3):
        buf[:] = i + 1.0
        tape.push(buf.copy())

    # Reverse sweep
    x_bar = np.zeros_like(x)
    for buf in reversed(tape):
        # s = s + np.sum(x * buf)
        x_bar += buf
    return x_bar
