# Derivative of softmax_loss (arrays.py:32), written by autodiff.

import numpy as np
from autodiff.runtime import winners


def softmax_loss_grad(scores):
    """Gradient of softmax_loss (arrays.py:32) with respect to scores."""
    # Forward sweep
    max_scores = np.max(scores, axis=1, keepdims=True)
    shifted = scores - max_scores
    exp_shifted = np.exp(shifted)
    sum_exp_shifted = np.sum(exp_shifted, axis=1)

    # Reverse sweep
    # return np.mean(logs - shifted[:, 0])
    difference_bar = 1.0 / len(scores)
    shifted_bar = np.zeros_like(shifted)
    shifted_bar[:, 0] -= difference_bar
    # logs = np.log(np.sum(np.exp(shifted), axis=1))
    shifted_bar += (difference_bar / sum_exp_shifted)[:, None] * exp_shifted
    # shifted = scores - np.max(scores, axis=1, keepdims=True)
    max_scores_bar = -shifted_bar.sum(axis=1, keepdims=True)
    return shifted_bar + max_scores_bar * winners(scores, max_scores, 1, True)
