# Derivative of mlp (arrays.py:47), written by autodiff.

import numpy as np


def mlp_value_and_grad(w1, b1, w2, b2, inputs, targets):
    """Value and gradient of mlp (arrays.py:47) with respect to w1, b1, w2, b2."""
    # Forward sweep
    hidden = np.tanh(inputs @ w1 + b1)
    outputs = hidden @ w2 + b2
    difference = outputs - targets
    result = np.mean(difference**2)

    # Reverse sweep
    # return np.mean((outputs - targets) ** 2)
    difference_bar = 2.0 / targets.size * difference
    # outputs = hidden @ w2 + b2
    b2_bar = difference_bar.sum(axis=0)
    w2_bar = hidden.T @ difference_bar
    # hidden = np.tanh(inputs @ w1 + b1)
    total_bar = difference_bar @ w2.T * (1 - hidden**2)
    return result, (inputs.T @ total_bar, total_bar.sum(axis=0), w2_bar, b2_bar)
