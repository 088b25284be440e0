# Derivative of heat_tangent (tangents.py:20), written by autodiff.

import numpy as np


def heat_tangent_jvp(u, r, u_dot):
    """Value and tangent of heat_tangent (tangents.py:20) with respect to u."""
    u_dot = u_dot.copy()
    u = u.copy()
    for _ in range(5):
        u_dot[1:-1] += (u_dot[2:] - u_dot[1:-1] * 2 + u_dot[:-2]) * r
        u[1:-1] += r * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u**2), np.sum(u_dot * (2 * u))
