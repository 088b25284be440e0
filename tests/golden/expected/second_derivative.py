# Derivative of iterated (tangents.py:53), written by autodiff.

import math

from autodiff.runtime import Slot, Tape


def iterated_grad_grad(x):
    """Gradient of iterated_grad (tangents.py:53) with respect to x."""
    tape_3 = Tape()

    # Forward sweep
    tape = []
    tape_bar = []
    tape_2 = []
    tape_2_bar = []
    for _ in range(4):
        sin_x = math.sin(x)
        tape.append(x)
        x_slot = Slot()
        tape_bar.append(x_slot)
        tape_2.append(sin_x)
        sin_x_slot = Slot()
        tape_2_bar.append(sin_x_slot)
        tape_3.push((x, sin_x, x_slot, sin_x_slot))
        x = x * sin_x
    x_bar = 1.0
    for _ in reversed(range(4)):
        x_2 = tape.pop()
        x_2_slot = tape_bar.pop()
        sin_x_2 = tape_2.pop()
        sin_x_2_slot = tape_2_bar.pop()
        cos_x = math.cos(x_2)
        tape_3.push((x_bar, x_2, x_2_slot, sin_x_2, sin_x_2_slot, cos_x))
        x_bar = x_bar * sin_x_2 + x_bar * x_2 * cos_x

    # Reverse sweep
    x_bar_bar = 1.0
    for _ in range(4):
        x_bar, x_2, x_2_slot, sin_x_2, sin_x_2_slot, cos_x = tape_3.pop()
        # x_bar = x_bar * sin_x + x_bar * x * math.cos(x)
        x_bar_times_x_bar = x_bar_bar * cos_x
        x_2_bar = -(x_bar_bar * (x_bar * x_2)) * math.sin(x_2)
        x_bar_times_sin_x_bar = x_bar_bar
        x_2_bar += x_bar_times_x_bar * x_bar
        x_bar_bar = x_bar_times_x_bar * x_2 + x_bar_times_sin_x_bar * sin_x_2
        # sin_x = tape_2.pop()
        sin_x_2_slot.value += x_bar_times_sin_x_bar * x_bar
        # x = tape.pop()
        x_2_slot.value += x_2_bar
    x_bar_2 = 0.0
    for _ in reversed(range(4)):
        x, sin_x, x_slot, sin_x_slot = tape_3.pop()
        # x = x * sin_x
        sin_x_bar = x_bar_2 * x
        x_bar_2 = x_bar_2 * sin_x
        # tape_2.append(sin_x)
        sin_x_bar += sin_x_slot.value
        # tape.append(x)
        x_bar_2 += x_slot.value
        # sin_x = math.sin(x)
        x_bar_2 += sin_x_bar * math.cos(x)
    return x_bar_2
