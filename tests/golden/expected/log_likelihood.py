# Derivative of log_likelihood (arrays.py:97), written by autodiff.

import numpy as np


def log_likelihood_grad(mean, points, width):
    """Gradient of log_likelihood (arrays.py:97) with respect to mean."""
    # Forward sweep
    difference = points[:, None, :] - mean
    squares = np.einsum("...i,...i->...", difference, difference)
    quotient = -squares / width
    largest = np.max(quotient)
    exp_difference = np.exp(-squares / width - largest)

    # Reverse sweep
    # return np.sum(np.log(np.exp(-squares / width - largest))) + largest
    difference_bar = 1.0 / exp_difference * exp_difference
    largest_bar = 1.0 - difference_bar.sum()
    # largest = np.max(-squares / width)
    best = quotient == largest
    quotient_bar = best * (largest_bar / (np.count_nonzero(best) or 1))
    scaled = quotient_bar / width
    squares_bar = -(difference_bar / width) - scaled
    return -np.sum(squares_bar[..., None] * (2 * difference), axis=(0, 1))
