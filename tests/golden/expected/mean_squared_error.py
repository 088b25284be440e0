# Derivative of mean_squared_error (arrays.py:46), written by autodiff.

import numpy as np


def mean_squared_error_grad(w, inputs, targets):
    """Gradient of mean_squared_error (arrays.py:46) with respect to w."""
    # Forward sweep
    difference = inputs @ w - targets

    # Reverse sweep
    return inputs.T @ (1.0 / np.size(difference**2) * (2 * difference))
