# Derivative of log_likelihood (arrays.py:97), written by autodiff.

import numpy as np
from autodiff.runtime import unreduce


def log_likelihood_grad(mean, points, width):
    """Gradient of log_likelihood (arrays.py:97) with respect to mean."""
    # Forward sweep
    difference = points[:, None, :] - mean
    difference_pow_2 = difference**2
    squares = np.sum(difference_pow_2, axis=2)
    quotient = -squares / width
    largest = np.max(quotient)
    exp_difference = np.exp(-squares / width - largest)

    # Reverse sweep
    # return np.sum(np.log(np.exp(-squares / width - largest))) + largest
    difference_bar = 1.0 / exp_difference * exp_difference
    largest_bar = 1.0 - difference_bar.sum()
    # largest = np.max(-squares / width)
    best = quotient == largest
    ties = np.count_nonzero(best) or 1
    unreduce_quotient = unreduce(largest_bar / ties, like=quotient, axis=None, keepdims=False)
    quotient_bar = best * unreduce_quotient
    scaled = quotient_bar / width
    squares_bar = -(difference_bar / width) - scaled
    # squares = np.sum((points[:, None, :] - mean) ** 2, axis=2)
    broadcast_to_value = np.broadcast_to(squares_bar, (squares.shape[0], 1))
    difference_pow_2_bar = unreduce(
        broadcast_to_value, like=difference_pow_2, axis=2, keepdims=False
    )
    difference_bar = difference_pow_2_bar * (2 * difference)
    broadcast_to_value = np.broadcast_to(
        -difference_bar, (difference.shape[0], 1, difference.shape[2])
    )
    mean_bar = np.sum(broadcast_to_value, axis=(0, 1))
    return np.full_like(mean, mean_bar)
