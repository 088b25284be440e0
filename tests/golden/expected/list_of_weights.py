# Derivative of list_of_weights (containers.py:78), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def list_of_weights_grad(weights, x):
    """Gradient of list_of_weights (containers.py:78) with respect to weights."""
    tape = Tape()

    # Forward sweep
    weights_0_bar = np.zeros_like(weights[0])
    weights_1_bar = np.zeros_like(weights[1])
    weights = [weights[0], weights[1]]
    weights_bar = [weights_0_bar, weights_1_bar]
    h = x
    for i in range(2):
        tape.push(h)
        w = weights[i]
        h = np.tanh(h @ w)

    # Reverse sweep
    h_bar = np.full_like(h, 1.0)
    for i in reversed(range(2)):
        h_2 = tape.pop()
        # h = np.tanh(h @ w)
        h_at_w_bar = h_bar * (1 - h**2)
        weights_bar[i] += h_2.T @ h_at_w_bar
        h_bar = h_at_w_bar @ weights[i].T
        h = h_2
    return [weights_0_bar, weights_1_bar.copy()]
