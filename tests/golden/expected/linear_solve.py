# Derivative of linear_solve (arrays.py:59), written by autodiff.

import numpy as np


def linear_solve_grad(a, b):
    """Gradient of linear_solve (arrays.py:59) with respect to a, b."""
    # Forward sweep
    x = np.linalg.solve(a, b)

    # Reverse sweep
    # x = np.linalg.solve(a, b)
    b_bar = np.linalg.solve(a.T, 2.0 * x)
    return -np.outer(b_bar, x), b_bar
