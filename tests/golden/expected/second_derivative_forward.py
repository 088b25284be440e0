# Derivative of iterated (tangents.py:53), written by autodiff.

import math


def iterated_grad_jvp(x, x_dot):
    """Value and tangent of iterated_grad (tangents.py:53) with respect to x."""
    xs_dot = []
    xs = []
    for _ in range(4):
        xs_dot.append(x_dot)
        xs.append(x)
        sin_x = math.sin(x)
        x_dot = x_dot * sin_x + x_dot * math.cos(x) * x
        x = x * sin_x
    x_bar = 1.0
    x_bar_dot = 0.0
    for _ in reversed(range(4)):
        x_dot = xs_dot.pop()
        x = xs.pop()
        sin_x = math.sin(x)
        sin_x_bar = x_bar * x
        cos_x = math.cos(x)
        x_bar_dot = (
            x_bar_dot * sin_x
            + x_dot * math.cos(x) * x_bar
            + ((x_bar_dot * x + x_dot * x_bar) * cos_x - x_dot * sin_x * sin_x_bar)
        )
        x_bar = x_bar * sin_x + sin_x_bar * cos_x
    return x_bar, x_bar_dot
