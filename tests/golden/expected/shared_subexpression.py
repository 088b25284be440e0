# Derivative of shared_subexpression (straight.py:75), written by autodiff.

import numpy as np


def shared_subexpression_grad(x, y):
    """Gradient of shared_subexpression (straight.py:75) with respect to x, y."""
    # Forward sweep
    x_minus_y = x - y
    distance = np.sqrt(np.sum(x_minus_y**2))
    quotient = 1.0 / distance

    # Reverse sweep
    # return distance + 1.0 / distance
    distance_bar = 1.0 - quotient * quotient
    # distance = np.sqrt(np.sum((x - y) ** 2))
    x_minus_y_bar = 2 * (distance_bar / (2 * distance) if distance_bar else 0.0) * x_minus_y
    return x_minus_y_bar, -x_minus_y_bar
