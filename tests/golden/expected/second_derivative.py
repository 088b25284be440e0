# Derivative of iterated (tangents.py:53), written by autodiff.

import math

from autodiff.runtime import Tape, collected, shadow


def iterated_grad_grad(x):
    """Gradient of iterated_grad (tangents.py:53) with respect to x."""
    tape_2 = Tape()

    # Forward sweep
    tape = []
    tape_bar = []
    for _ in range(4):
        sin_x = math.sin(x)
        pair = x, sin_x
        tape.append(pair)
        pair_slot = shadow(pair)
        tape_bar.append(pair_slot)
        tape_2.push((x, sin_x, pair_slot))
        x = x * sin_x
    x_bar = 1.0
    for _ in reversed(range(4)):
        pop_tape = tape.pop()
        pop_tape_slot = tape_bar.pop()
        x_2, sin_x_2 = pop_tape
        sin_x_bar = x_bar * x_2
        x_bar_2 = x_bar * sin_x_2
        cos_x = math.cos(x_2)
        tape_2.push((x_bar, pop_tape_slot, sin_x_2, x_2, cos_x))
        x_bar = x_bar_2 + sin_x_bar * cos_x

    # Reverse sweep
    x_bar_bar = 1.0
    for _ in range(4):
        x_bar, pop_tape_slot, sin_x_2, x_2, cos_x = tape_2.pop()
        # sin_x_bar = x_bar * x
        sin_x_bar = x_bar * x_2
        # x_bar += sin_x_bar * math.cos(x)
        sin_x_bar_bar = x_bar_bar * cos_x
        x_2_bar = -(x_bar_bar * sin_x_bar) * math.sin(x_2)
        # x_bar = x_bar * sin_x
        sin_x_2_bar = x_bar_bar * x_bar
        x_bar_bar = x_bar_bar * sin_x_2
        # sin_x_bar = x_bar * x
        x_bar_bar += sin_x_bar_bar * x_2
        x_2_bar += sin_x_bar_bar * x_bar
        # x, sin_x = tape.pop()
        pop_tape_slot[0].value += x_2_bar
        pop_tape_slot[1].value += sin_x_2_bar
    x_bar_3 = 0.0
    for _ in reversed(range(4)):
        x, sin_x, pair_slot = tape_2.pop()
        # x = x * sin_x
        sin_x_bar_2 = x_bar_3 * x
        x_bar_3 = x_bar_3 * sin_x
        # tape.append((x, sin_x))
        pair_bar_kept = collected(pair_slot)
        x_bar_3 += pair_bar_kept[0]
        sin_x_bar_2 += pair_bar_kept[1]
        # sin_x = math.sin(x)
        x_bar_3 += sin_x_bar_2 * math.cos(x)
    return x_bar_3
