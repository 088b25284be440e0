# Derivative of list_of_weights (containers.py:78), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def list_of_weights_grad(weights, x):
    """Gradient of list_of_weights (containers.py:78) with respect to weights."""
    tape = Tape()

    # Forward sweep
    h = x
    for i in range(len(weights)):
        w = weights[i]
        tape.push(h)
        h = np.tanh(h @ w)

    # Reverse sweep
    h_bar = np.full_like(h, 1.0)
    weights_seq_bar = [None] * len(weights)
    for i in reversed(range(len(weights))):
        # for w in weights:
        w = weights[i]
        # h = np.tanh(h @ w)
        h_at_w_bar = h_bar * (1 - h**2)
        h = tape.pop()
        h_bar = h_at_w_bar @ w.T
        # for w in weights:
        weights_seq_bar[i] = h.T @ h_at_w_bar
    return [weights_seq_bar[0], weights_seq_bar[1]]
