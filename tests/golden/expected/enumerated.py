# Derivative of enumerated (loops.py:144), written by autodiff.

import numpy as np


def enumerated_grad(x, rate):
    """Gradient of enumerated (loops.py:144) with respect to x."""
    # Reverse sweep
    x_seq_bar = np.zeros_like(x)
    for k in range(len(x)):
        # for k, v in enumerate(x):
        v = x[k]
        x_seq_bar[k] = rate**k * (2 * v)
    return x_seq_bar
