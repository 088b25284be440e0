# Derivative of log_likelihood (arrays.py:89), written by autodiff.

import numpy as np
from autodiff.runtime import winners


def log_likelihood_grad(mean, points, width):
    """Gradient of log_likelihood (arrays.py:89) with respect to mean."""
    # Forward sweep
    difference = points[:, None, :] - mean
    squares = np.sum(difference**2, axis=2)
    quotient = -squares / width
    largest = np.max(quotient)
    exp_difference_2 = np.exp(-squares / width - largest)

    # Reverse sweep
    # return np.sum(np.log(np.exp(-squares / width - largest))) + largest
    difference_2_bar = 1.0 / exp_difference_2 * exp_difference_2
    largest_bar = 1.0 + np.sum(-difference_2_bar)
    squares_bar = -(difference_2_bar / width)
    # largest = np.max(-squares / width)
    squares_bar += -(largest_bar * winners(quotient, largest) / width)
    return np.sum(-(squares_bar[..., None] * (2 * difference)), axis=(0, 1))
