# Derivative of try_except (protection.py:18), written by autodiff.

import math


def try_except_grad(x):
    """Gradient of try_except (protection.py:18) with respect to x."""
    # Forward sweep
    try:
        y = math.log(x) * x
        raised = 0
    except ValueError:
        y = x * x
        raised = 1

    # Reverse sweep
    # return y * y
    y_bar = 2.0 * y
    if not raised:
        # y = math.log(x) * x
        x_bar = y_bar * math.log(x) + y_bar * x / x
    else:
        # y = x * x
        x_bar = 2.0 * y_bar * x
    return x_bar
