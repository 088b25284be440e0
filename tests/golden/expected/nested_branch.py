# Derivative of nested_branch (branches.py:28), written by autodiff.

import math


def nested_branch_grad(x, y):
    """Gradient of nested_branch (branches.py:28) with respect to x, y."""
    # Forward sweep
    if x > y:
        if y > 0.0:
            z = x * y
        else:
            z = x - y
    elif x < -1.0:
        z_2 = math.exp(x)

    # Reverse sweep
    if x > y:
        # z = z * z
        x_bar = 2.0 * z
        if y > 0.0:
            # z = x * y
            y_bar = x_bar * x
            x_bar = x_bar * y
        else:
            # z = x - y
            y_bar = -x_bar
    else:
        if x < -1.0:
            x_bar = z_2
        else:
            x_bar = 0.0
        y_bar = 0.0
    return x_bar, y_bar
