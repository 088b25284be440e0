# Derivative of value_of_norm (transforms.py:29), written by autodiff.

import numpy as np


def value_of_norm_value_and_grad(x):
    """Value and gradient of value_of_norm (transforms.py:29) with respect to x."""
    # Forward sweep
    result = np.sqrt(np.sum(x**2))

    # Reverse sweep
    return result, 1.0 / result * x
