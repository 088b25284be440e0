# Derivative of recurrent_network (arrays.py:90), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def recurrent_network_grad(w, state, inputs):
    """Gradient of recurrent_network (arrays.py:90) with respect to w, state."""
    tape = Tape()

    # Forward sweep
    for k in range(len(inputs)):
        tape.push(state)
        state = np.tanh(w @ state + inputs[k])

    # Reverse sweep
    w_bar = np.zeros_like(w)
    # return np.sum(state**2)
    state_bar = 2 * state
    for state_2 in reversed(tape):
        # state = np.tanh(w @ state + inputs[k])
        total_bar = state_bar * (1 - state**2)
        w_bar += np.outer(total_bar, state_2)
        state_bar = w.T @ total_bar
        state = state_2
    return w_bar, state_bar
