# Derivative of list_argument (containers.py:22), written by autodiff.

import numpy as np


def list_argument_grad(layers, x):
    """Gradient of list_argument (containers.py:22) with respect to layers."""
    # Forward sweep
    w, b = layers

    # Reverse sweep
    # return np.sum(np.tanh(x @ w + b))
    x_at_w_plus_b_bar = 1 - np.tanh(x @ w + b) ** 2
    return [np.outer(x, x_at_w_plus_b_bar), x_at_w_plus_b_bar]
