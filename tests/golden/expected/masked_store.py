# Derivative of masked_store (memory.py:132), written by autodiff.

import numpy as np


def masked_store_grad(x):
    """Gradient of masked_store (memory.py:132) with respect to x."""
    # Forward sweep
    y = x**2
    condition = x < 0.0
    y[condition] = 0.0

    # Reverse sweep
    # return np.sum(y * x)
    y_bar = x.copy()
    # y[x < 0.0] = 0.0
    y_bar[condition] = 0.0
    return y + np.where(y_bar, y_bar * (2 * x), 0.0)
