# Derivative of early_return (branches.py:43), written by autodiff.

import math


def early_return_grad(x):
    """Gradient of early_return (branches.py:43) with respect to x."""
    # Forward sweep
    if not x < 0.0:
        y = math.log(x)

    # Reverse sweep
    if x < 0.0:
        x_bar = -1.0
    else:
        if y > 1.0:
            # return y * y
            y_bar = 2.0 * y
            x_bar = 0.0
        else:
            y_bar = x
            x_bar = y
        # y = math.log(x)
        x_bar += y_bar / x
    return x_bar
