# Derivative of nested_loops (loops.py:54), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def nested_loops_grad(a):
    """Gradient of nested_loops (loops.py:54) with respect to a."""
    tape = Tape()

    # Forward sweep
    for i in range(a.shape[0]):
        row = 1.0
        for j in range(a.shape[1]):
            tape.push(row)
            row = row * a[i, j]
        tape.push(row)

    # Reverse sweep
    a_bar = np.zeros_like(a)
    for i in reversed(range(a.shape[0])):
        row = tape.pop()
        # total = total + row * row
        row_bar = 2.0 * row
        for j in reversed(range(a.shape[1])):
            row = tape.pop()
            # row = row * a[i, j]
            a_bar[i, j] = row_bar * row
            row_bar = row_bar * a[i, j]
    return a_bar
