# Derivative of affine_pullback (transforms.py:12), written by autodiff.

import numpy as np


def affine_pullback_vjp(a, x):
    """Value and pullback of affine_pullback (transforms.py:12) with respect to a, x."""
    # Forward sweep
    result = np.tanh(a @ x)

    def pullback(result_bar):
        # Reverse sweep
        # return np.tanh(a @ x)
        a_at_x_bar = result_bar * (1 - result**2)
        return np.outer(a_at_x_bar, x), a.T @ a_at_x_bar

    return result.copy(), pullback
