# Derivative of enumerated (loops.py:144), written by autodiff.

import numpy as np


def enumerated_grad(x, rate):
    """Gradient of enumerated (loops.py:144) with respect to x."""
    # Reverse sweep
    x_bar = np.zeros_like(x)
    for k in reversed(range(len(x))):
        x_bar[k] = 2.0 * rate**k * x[k]
    return x_bar
