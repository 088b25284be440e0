# Derivative of iterated (tangents.py:53), written by autodiff.

import math


def iterated_grad_jvp(x, x_dot):
    """Value and tangent of iterated_grad (tangents.py:53) with respect to x."""
    tape_dot = []
    tape = []
    tape_2_dot = []
    tape_2 = []
    for _ in range(4):
        sin_x_dot = x_dot * math.cos(x)
        sin_x = math.sin(x)
        tape_dot.append(x_dot)
        tape.append(x)
        tape_2_dot.append(sin_x_dot)
        tape_2.append(sin_x)
        x_dot = x_dot * sin_x + sin_x_dot * x
        x = x * sin_x
    x_bar = 1.0
    x_bar_dot = 0.0
    for _ in reversed(range(4)):
        x_dot = tape_dot.pop()
        x = tape.pop()
        sin_x_dot = tape_2_dot.pop()
        sin_x = tape_2.pop()
        x_bar_times_x = x_bar * x
        cos_x = math.cos(x)
        x_bar_dot = (
            x_bar_dot * sin_x
            + sin_x_dot * x_bar
            + ((x_bar_dot * x + x_dot * x_bar) * cos_x - x_dot * math.sin(x) * x_bar_times_x)
        )
        x_bar = x_bar * sin_x + x_bar_times_x * cos_x
    return x_bar, x_bar_dot
