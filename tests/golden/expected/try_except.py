# Derivative of try_except (protection.py:18), written by autodiff.

import math


def try_except_grad(x):
    """Gradient of try_except (protection.py:18) with respect to x."""
    # Forward sweep
    try:
        log_x = math.log(x)
        y = log_x * x
        completed = True
    except ValueError:
        completed = False
        y = x * x

    # Reverse sweep
    # return y * y
    y_bar = 2.0 * y
    if completed:
        # y = math.log(x) * x
        x_bar = y_bar * log_x + y_bar * x / x
    else:
        # y = x * x
        x_bar = 2.0 * y_bar * x
    return x_bar
