# Derivative of iterated (tangents.py:53), written by autodiff.

import math

from autodiff.runtime import Tape


def iterated_grad_grad(x):
    """Gradient of iterated_grad (tangents.py:53) with respect to x."""
    tape = Tape()

    # Forward sweep
    xs = []
    xs_bar = []
    for _ in range(4):
        tape.push(x)
        xs.append(x)
        xs_bar.append(0.0)
        x = x * math.sin(x)
    x_bar = 1.0
    for _ in reversed(range(4)):
        x = xs.pop()
        tape.push((x_bar, x))
        xs_bar.pop()
        x_bar = x_bar * math.sin(x) + x_bar * x * math.cos(x)

    # Reverse sweep
    x_bar_bar = 1.0
    for _ in range(4):
        x_bar, x = tape.pop()
        # x = x * math.sin(x)
        cos_x = math.cos(x)
        sin_x_bar_bar = x_bar_bar * cos_x
        sin_x = math.sin(x)
        x_2_bar = sin_x_bar_bar * x_bar - x_bar_bar * (x_bar * x) * sin_x
        x_bar = x_2_bar + x_bar_bar * x_bar * cos_x
        xs_bar.append(x_bar)
        x_bar_bar = sin_x_bar_bar * x + x_bar_bar * sin_x
    x_bar = 0.0
    for _ in reversed(range(4)):
        x = tape.pop()
        value = xs_bar.pop()
        x_bar = x_bar * math.sin(x) + x_bar * x * math.cos(x) + value
    return float(x_bar)
