# Derivative of cross_entropy (arrays.py:104), written by autodiff.

import numpy as np


def cross_entropy_grad(logits, labels):
    """Gradient of cross_entropy (arrays.py:104) with respect to logits."""
    # Forward sweep
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    exp_shifted = np.exp(shifted)

    # Reverse sweep
    # return -np.sum((shifted - logsumexp) * labels)
    difference_bar = -1.0 * labels
    sum_difference_bar = difference_bar.sum(axis=1, keepdims=True)
    # logsumexp = np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    sum_exp_shifted_bar = sum_difference_bar / np.sum(exp_shifted, axis=1, keepdims=True)
    return difference_bar - sum_exp_shifted_bar * exp_shifted
