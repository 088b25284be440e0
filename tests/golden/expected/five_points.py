# Derivative of five_points (memory.py:172), written by autodiff.

import numpy as np


def five_points_grad(a, h):
    """Gradient of five_points (memory.py:172) with respect to a, h."""
    # Forward sweep
    b = a.copy()
    difference = a[2:, 1:-1] + a[:-2, 1:-1] - 2 * a[1:-1, 1:-1]
    b[1:-1, 1:-1] += h * difference
    b[0] = b[-1]

    # Reverse sweep
    # return np.sum(b**2)
    b_bar = 2 * b
    # b[0] = b[-1]
    b_minus_1_bar = b_bar[0].copy()
    b_bar[0] = 0.0
    b_bar[-1] += b_minus_1_bar
    # b[1:-1, 1:-1] += h * (a[2:, 1:-1] + a[:-2, 1:-1] - 2 * a[1:-1, 1:-1])
    difference_bar = b_bar[1:-1, 1:-1] * h
    a_bar = np.zeros_like(a)
    a_bar[1:-1, 1:-1] -= difference_bar * 2
    a_bar[:-2, 1:-1] += difference_bar
    a_bar[2:, 1:-1] += difference_bar
    # b = a.copy()
    a_bar += b_bar
    return a_bar, np.vdot(b_bar[1:-1, 1:-1], difference)
