# Derivative of list_of_arrays (memory.py:84), written by autodiff.

import numpy as np
from autodiff.runtime import Tape, accumulate, zeros_like


def list_of_arrays_grad(x, n):
    """Gradient of list_of_arrays (memory.py:84) with respect to x."""
    tape = Tape()

    # Forward sweep
    states = [x]
    y = x
    for _ in range(n):
        sin_y = np.sin(y)
        tape.push((y, sin_y))
        y = y * sin_y
        states.append(y)

    # Reverse sweep
    states_seq_bar = zeros_like(states)
    for i in reversed(range(len(states))):
        # for state in states:
        state = states[i]
        states_seq_bar[i] = accumulate(states_seq_bar[i], np.broadcast_to(1.0, state.shape))
    y_bar = np.zeros_like(x)
    for y, sin_y in reversed(tape):
        # states.append(y)
        y_bar += states_seq_bar.pop()
        # y = y * np.sin(y)
        y_bar = y_bar * sin_y + y_bar * y * np.cos(y)
    return y_bar + states_seq_bar[0]
