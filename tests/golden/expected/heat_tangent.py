# Derivative of heat_tangent (tangents.py:20), written by autodiff.

import numpy as np


def heat_tangent_jvp(u, r, u_dot):
    """Value and tangent of heat_tangent (tangents.py:20) with respect to u."""
    u_2_dot = u_dot.copy()
    u_2 = u.copy()
    for _ in range(5):
        u_2_dot[1:-1] += (u_2_dot[2:] - u_2_dot[1:-1] * 2 + u_2_dot[:-2]) * r
        u_2[1:-1] += r * (u_2[2:] - 2 * u_2[1:-1] + u_2[:-2])
    return np.sum(u_2**2), np.sum(u_2_dot * (2 * u_2))
