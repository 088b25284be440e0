# Derivative of branch_without_else (branches.py:20), written by autodiff.

import math

from autodiff.runtime import Tape


def branch_without_else_grad(x):
    """Gradient of branch_without_else (branches.py:20) with respect to x."""
    tape = Tape()

    # Forward sweep
    y = x
    branch = y > 0.2
    if branch:
        sin_y = math.sin(y)
        tape.push(y)
        y = y * sin_y

    # Reverse sweep
    # return y * y
    y_bar = 2.0 * y
    if branch:
        y = tape.pop()
        # y = y * math.sin(y)
        y_bar = y_bar * sin_y + y_bar * y * math.cos(y)
    return y_bar
