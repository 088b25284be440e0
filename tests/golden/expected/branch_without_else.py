# Derivative of branch_without_else (branches.py:20), written by autodiff.

import math


def branch_without_else_grad(x):
    """Gradient of branch_without_else (branches.py:20) with respect to x."""
    # Forward sweep
    if x > 0.2:
        sin_x = math.sin(x)
        y = x * sin_x
    else:
        y = x

    # Reverse sweep
    # return y * y
    x_bar = 2.0 * y
    if x > 0.2:
        # y = y * math.sin(y)
        x_bar = x_bar * sin_x + x_bar * x * math.cos(x)
    return x_bar
