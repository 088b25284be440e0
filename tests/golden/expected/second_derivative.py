# Derivative of iterated (tangents.py:53), written by autodiff.

import math

from autodiff.runtime import Tape


def iterated_grad_grad(x):
    """Gradient of iterated_grad (tangents.py:53) with respect to x."""
    tape = Tape()

    # Forward sweep
    tape_2 = []
    tape_bar = []
    tape_2_2 = []
    tape_2_bar = []
    for _ in range(4):
        tape.push(x)
        sin_x = math.sin(x)
        tape_2.append(x)
        tape_bar.append(0.0)
        tape_2_2.append(sin_x)
        tape_2_bar.append(0.0)
        x = x * sin_x
    x_bar = 1.0
    for _ in reversed(range(4)):
        x = tape_2.pop()
        tape_bar.pop()
        sin_x = tape_2_2.pop()
        tape.push((x_bar, x, sin_x))
        tape_2_bar.pop()
        x_bar = x_bar * sin_x + x_bar * x * math.cos(x)

    # Reverse sweep
    x_bar_bar = 1.0
    for _ in range(4):
        x_bar, x, sin_x = tape.pop()
        # x_bar = x_bar * sin_x + x_bar * x * math.cos(x)
        x_bar_times_x_bar = x_bar_bar * math.cos(x)
        x_2_bar = x_bar_times_x_bar * x_bar - x_bar_bar * (x_bar * x) * math.sin(x)
        # sin_x = tape_2.pop()
        tape_2_bar.append(x_bar_bar * x_bar)
        # x = tape.pop()
        tape_bar.append(x_2_bar)
        # x_bar = x_bar * sin_x + x_bar * x * math.cos(x)
        x_bar_bar = x_bar_times_x_bar * x + x_bar_bar * sin_x
    x_bar = 0.0
    for _ in reversed(range(4)):
        x = tape.pop()
        # tape_2.append(sin_x)
        value = tape_2_bar.pop()
        # tape.append(x)
        value_2 = tape_bar.pop()
        x_2_bar = x_bar * math.sin(x) + value_2
        # sin_x = math.sin(x)
        x_bar = x_2_bar + (x_bar * x + value) * math.cos(x)
    return float(x_bar)
