# Derivative of log_likelihood (arrays.py:97), written by autodiff.

import numpy as np


def log_likelihood_grad(mean, points, width):
    """Gradient of log_likelihood (arrays.py:97) with respect to mean."""
    # Forward sweep
    difference = points[:, None, :] - mean
    squares = np.einsum("...i,...i->...", difference, difference)
    quotient = -squares / width
    largest = np.max(quotient)
    exp_difference_2 = np.exp(-squares / width - largest)

    # Reverse sweep
    # return np.sum(np.log(np.exp(-squares / width - largest))) + largest
    difference_2_bar = exp_difference_2 / exp_difference_2
    largest_bar = 1.0 - difference_2_bar.sum()
    squares_bar = -(difference_2_bar / width)
    # largest = np.max(-squares / width)
    best = quotient == largest
    squares_bar -= best * (largest_bar / (np.count_nonzero(best) or 1)) / width
    return -np.sum(2 * squares_bar[..., None] * difference, axis=(0, 1))
