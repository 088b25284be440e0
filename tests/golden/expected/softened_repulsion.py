# Derivative of softened_repulsion (straight.py:81), written by autodiff.

import math

import numpy as np


def softened_repulsion_grad(x, y):
    """Gradient of softened_repulsion (straight.py:81) with respect to x, y."""
    # Forward sweep
    x_minus_y = x - y
    d2 = np.sum(x_minus_y**2) + 0.01
    sqrt_d2 = math.sqrt(d2)
    result = 1.0 / (d2 * sqrt_d2)

    # Reverse sweep
    # return 1.0 / (d2 * math.sqrt(d2))
    d2_times_sqrt_d2_bar = -result * result
    d2_bar = d2_times_sqrt_d2_bar * sqrt_d2
    d2_bar += d2_times_sqrt_d2_bar * d2 / (2 * sqrt_d2)
    # d2 = np.sum((x - y) ** 2) + 0.01
    x_minus_y_bar = 2 * d2_bar * x_minus_y
    return x_minus_y_bar, -x_minus_y_bar
