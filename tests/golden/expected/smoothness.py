# Derivative of smoothness (arrays.py:70), written by autodiff.

import numpy as np


def smoothness_grad(u):
    """Gradient of smoothness (arrays.py:70) with respect to u."""
    # Reverse sweep
    # return np.sum((u[1:] - u[:-1]) ** 2) + u[0] * u[-1]
    u_bar = np.zeros_like(u)
    u_bar[-1] = u[0]
    u_bar[0] += u[-1]
    difference_bar = 2 * (u[1:] - u[:-1])
    u_bar[:-1] -= difference_bar
    u_bar[1:] += difference_bar
    return u_bar
