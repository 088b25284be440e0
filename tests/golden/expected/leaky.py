# Derivative of leaky (memory.py:237), written by autodiff.

import numpy as np
from autodiff.runtime import unbroadcast


def leaky_grad(x):
    """Gradient of leaky (memory.py:237) with respect to x."""
    # Forward sweep
    y = x**2 - 1.0
    condition = y < 0.0
    product = y[condition] * 0.1
    y[condition] = product

    # Reverse sweep
    # return np.sum(y * x)
    y_bar = x.copy()
    # y[y < 0.0] *= 0.1
    y_bar[condition] = unbroadcast(y_bar[condition], product) * 0.1
    return y + np.where(y_bar, y_bar * (2 * x), 0.0)
