# Derivative of huber (branches.py:64), written by autodiff.

import numpy as np


def huber_grad(x, delta):
    """Gradient of huber (branches.py:64) with respect to x, delta."""
    # Forward sweep
    r = np.abs(x)
    condition = r < delta

    # Reverse sweep
    # return np.sum(np.where(r < delta, 0.5 * r**2, delta * (r - 0.5 * delta)))
    delta_bar = np.sum(np.where(condition, 0.0, r - 0.5 * delta))
    delta_bar -= np.sum(np.where(condition, 0.0, delta)) * 0.5
    return np.where(condition, r, delta) * np.sign(x), delta_bar
