# Derivative of lorenz (loops.py:152), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def lorenz_grad(state, h, n):
    """Gradient of lorenz (loops.py:152) with respect to state."""
    tape = Tape()

    # Forward sweep
    for _ in range(n):
        tape.push(state)
        x, y, z = state
        rate = np.array([10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z])
        state = state + h * 0.01 * rate

    # Reverse sweep
    # return np.sum(state**2)
    state_bar = 2 * state
    for state in reversed(tape):
        # state = state + h * 0.01 * rate
        rate_bar = state_bar * (h * 0.01)
        # rate = np.array([10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z])
        difference_bar = rate_bar[1]
        difference_2_bar = rate_bar[2]
        x = state[0]
        x_bar = difference_2_bar * state[1] + difference_bar * (28.0 - state[2])
        y_minus_x_bar = rate_bar[0] * 10.0
        x_bar -= y_minus_x_bar
        # x, y, z = state
        state_bar = state_bar.copy()
        state_bar[2] += -difference_2_bar * (8.0 / 3.0) - difference_bar * x
        state_bar[1] += difference_2_bar * x - difference_bar + y_minus_x_bar
        state_bar[0] += x_bar
    return state_bar
