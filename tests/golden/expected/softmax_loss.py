# Derivative of softmax_loss (arrays.py:40), written by autodiff.

import numpy as np


def softmax_loss_grad(scores):
    """Gradient of softmax_loss (arrays.py:40) with respect to scores."""
    # Forward sweep
    max_scores = np.max(scores, axis=1, keepdims=True)
    shifted = scores - max_scores
    exp_shifted = np.exp(shifted)

    # Reverse sweep
    # return np.mean(logs - shifted[:, 0])
    difference_bar = 1.0 / len(scores)
    shifted_bar = np.zeros_like(shifted)
    shifted_bar[:, 0] = -difference_bar
    # logs = np.log(np.sum(np.exp(shifted), axis=1))
    shifted_bar += (difference_bar / np.sum(exp_shifted, axis=1))[:, None] * exp_shifted
    # shifted = scores - np.max(scores, axis=1, keepdims=True)
    best = scores == max_scores
    ties = np.maximum(best.sum(1, max_scores.dtype, keepdims=True), 1)
    return shifted_bar - best * (shifted_bar.sum(axis=1, keepdims=True) / ties)
