# Derivative of linear_heat (memory.py:30), written by autodiff.

import numpy as np


def linear_heat_grad(u0, r, steps):
    """Gradient of linear_heat (memory.py:30) with respect to u0."""
    # Forward sweep
    u = u0.copy()

    # Reverse sweep
    # return np.sum(u)
    u_bar = np.full_like(u, 1.0)
    for _ in reversed(range(steps)):
        # u[1:-1] = un[1:-1] + r * (un[2:] - 2 * un[1:-1] + un[:-2])
        total_bar = u_bar[1:-1] * r
        u_bar[:-2] += total_bar
        u_bar[1:-1] -= total_bar * 2
        u_bar[2:] += total_bar
    return u_bar
