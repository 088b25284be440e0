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
    # y[y < 0.0] *= 0.1
    y_bar = x.copy()
    product_bar = unbroadcast(y_bar[condition], product)
    y_bar = np.where(condition, 0.0, y_bar)
    y_bar[condition] += product_bar * 0.1
    return y + y_bar * (2 * x)
