# Derivative of with_errstate (protection.py:11), written by autodiff.

import numpy as np


def with_errstate_grad(x):
    """Gradient of with_errstate (protection.py:11) with respect to x."""
    # Forward sweep
    with np.errstate(divide="ignore"):
        y = 1.0 / x
    x_pow_3 = x**3

    # Reverse sweep
    # return np.sum(y * x**3)
    x_bar = y * (3 * x**2)
    with np.errstate(divide="ignore"):
        # y = 1.0 / x
        x_bar -= x_pow_3 / x * y
    return x_bar
