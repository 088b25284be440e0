# Derivative of stack_tangent (tangents.py:35), written by autodiff.

import math


def stack_tangent_jvp(x, x_dot):
    """Value and tangent of stack_tangent (tangents.py:35) with respect to x."""
    xs_dot = []
    xs = []
    for k in range(3):
        x_times_k = x * k
        xs_dot.append(x_dot * k)
        xs.append(x_times_k)
    total_dot = 0.0
    total = 0.0
    while xs:
        sin_x_dot = x_dot * math.cos(x)
        sin_x = math.sin(x)
        total_times_sin_x = total * sin_x
        total_dot = total_dot * sin_x + sin_x_dot * total + xs_dot.pop()
        total = total_times_sin_x + xs.pop()
    return total, total_dot
