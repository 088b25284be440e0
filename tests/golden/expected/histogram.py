# Derivative of histogram (memory.py:148), written by autodiff.

import numpy as np


def histogram_grad(x, bins):
    """Gradient of histogram (memory.py:148) with respect to x."""
    # Forward sweep
    counts = np.zeros(3)
    np.add.at(counts, bins, x**2)

    # Reverse sweep
    return (2 * counts)[bins] * (2 * x)
