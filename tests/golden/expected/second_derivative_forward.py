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
    x_bar_dot = 0.0
    x_bar = 1.0
    for _ in reversed(range(4)):
        x_2_dot = tape_dot.pop()
        x_2 = tape.pop()
        sin_x_2_dot = tape_2_dot.pop()
        sin_x_2 = tape_2.pop()
        x_bar_times_x_dot = x_bar_dot * x_2 + x_2_dot * x_bar
        x_bar_times_x = x_bar * x_2
        cos_x_dot = -x_2_dot * math.sin(x_2)
        cos_x = math.cos(x_2)
        product_dot = x_bar_times_x_dot * cos_x + cos_x_dot * x_bar_times_x
        x_bar_dot = x_bar_dot * sin_x_2 + sin_x_2_dot * x_bar + product_dot
        x_bar = x_bar * sin_x_2 + x_bar_times_x * cos_x
    return x_bar, x_bar_dot
