# Derivative of overwritten (straight.py:23), written by autodiff.

import math


def overwritten_grad(x):
    """Gradient of overwritten (straight.py:23) with respect to x."""
    # Forward sweep
    y = x * x
    sin_y = math.sin(y)
    y_2 = y * sin_y
    y_2 = y_2 + x

    # Reverse sweep
    # y *= y
    y_bar = 2.0 * y_2
    return y_bar + 2.0 * (y_bar * sin_y + y_bar * y * math.cos(y)) * x
