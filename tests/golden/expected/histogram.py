# Derivative of histogram (memory.py:148), written by autodiff.

import numpy as np


def histogram_grad(x, bins):
    """Gradient of histogram (memory.py:148) with respect to x."""
    # Forward sweep
    counts = np.zeros(3)
    np.add.at(counts, bins, x**2)

    # Reverse sweep
    # return np.sum(counts**2)
    counts_bar = 2 * counts
    return counts_bar[bins] * (2 * x)
