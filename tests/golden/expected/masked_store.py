# Derivative of masked_store (memory.py:132), written by autodiff.

import numpy as np


def masked_store_grad(x):
    """Gradient of masked_store (memory.py:132) with respect to x."""
    # Forward sweep
    y = x**2
    y[x < 0.0] = 0.0

    # Reverse sweep
    return y + np.where(x < 0.0, 0.0, x * (2 * x))
