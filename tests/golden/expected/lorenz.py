# Derivative of lorenz (loops.py:152), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def lorenz_grad(state, h, n):
    """Gradient of lorenz (loops.py:152) with respect to state."""
    tape = Tape()

    # Forward sweep
    product_2 = h * 0.01
    for _ in range(n):
        x, y, z = state
        difference = 28.0 - z
        rate = np.array([10.0 * (y - x), x * difference - y, x * y - 8.0 / 3.0 * z])
        state = state + product_2 * rate
        tape.push((x, y, difference))

    # Reverse sweep
    # return np.sum(state**2)
    state_bar = 2 * state
    for x, y, difference in reversed(tape):
        # state = state + h * 0.01 * rate
        rate_bar = state_bar * product_2
        # rate = np.array([10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z])
        items_1_bar = rate_bar[1]
        items_2_bar = rate_bar[2]
        y_minus_x_bar = rate_bar[0] * 10.0
        # x, y, z = state
        state_bar[0] += items_2_bar * y + items_1_bar * difference - y_minus_x_bar
        state_bar[1] += items_2_bar * x - items_1_bar + y_minus_x_bar
        state_bar[2] += -items_2_bar * (8.0 / 3.0) - items_1_bar * x
    return state_bar
