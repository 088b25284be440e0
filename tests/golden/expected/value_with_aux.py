# Derivative of value_with_aux (transforms.py:41), written by autodiff.

import numpy as np


def value_with_aux_value_and_grad(w, ridge):
    """Value and gradient of value_with_aux (transforms.py:41) with respect to w."""
    # Forward sweep
    exp_w = np.exp(w)
    residual = exp_w - ridge
    sum_residual_pow_2 = np.sum(residual**2)

    # Reverse sweep
    return (sum_residual_pow_2, residual), 2 * residual * exp_w
