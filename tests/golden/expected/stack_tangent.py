# Derivative of stack_tangent (tangents.py:35), written by autodiff.

import math


def stack_tangent_jvp(x, x_dot):
    """Value and tangent of stack_tangent (tangents.py:35) with respect to x."""
    xs_dot = []
    xs = []
    for k in range(3):
        xs_dot.append(x_dot * k)
        xs.append(x * k)
    total = 0.0
    total_dot = 0.0
    while len(xs):
        sin_x = math.sin(x)
        value_dot = xs_dot.pop()
        value = xs.pop()
        total_dot = total_dot * sin_x + x_dot * math.cos(x) * total + value_dot
        total = total * sin_x + value
    return total, total_dot
