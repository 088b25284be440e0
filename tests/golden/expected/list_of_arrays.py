# Derivative of list_of_arrays (memory.py:84), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def list_of_arrays_grad(x, n):
    """Gradient of list_of_arrays (memory.py:84) with respect to x."""
    tape = Tape()

    # Forward sweep
    x_bar = np.zeros_like(x)
    states = [x]
    states_bar = [x_bar]
    y = x
    y_bar = x_bar
    for _ in range(n):
        sin_y = np.sin(y)
        y_2 = y * sin_y
        y_2_bar = np.zeros_like(y_2)
        tape.push((y, y_bar, sin_y, y_2_bar))
        states.append(y_2)
        states_bar.append(y_2_bar)
        y = y_2
        y_bar = y_2_bar
    for i in range(len(states)):
        states[i]

    # Reverse sweep
    for i in reversed(range(len(states))):
        # total = total + np.sum(state)
        states_bar[i] += 1.0
    for y, y_bar, sin_y, y_2_bar in reversed(tape):
        # states.append(y)
        states_bar.pop()
        # y = y * np.sin(y)
        sin_y_bar = y_2_bar * y
        y_bar += y_2_bar * sin_y
        y_bar += sin_y_bar * np.cos(y)
    return x_bar
