# Derivative of methods (arrays.py:85), written by autodiff.

import numpy as np


def methods_grad(a, b):
    """Gradient of methods (arrays.py:85) with respect to a, b."""
    # Forward sweep
    a_at_b_T = (a @ b).T
    sum_a_at_b_T = a_at_b_T.sum(axis=0)
    ravel_a = a.ravel()
    ravel_a_value = ravel_a[:3]
    sum_a_at_b_T.dot(ravel_a_value)

    # Reverse sweep
    # return (a @ b).T.sum(axis=0).dot(a.ravel()[:3]) + b.mean()
    ravel_a_bar = np.zeros_like(ravel_a)
    ravel_a_bar[:3] = sum_a_at_b_T
    reshape_a_shape = ravel_a_bar.reshape(a.shape)
    a_at_b_bar = np.broadcast_to(ravel_a_value, a_at_b_T.shape).T
    return reshape_a_shape + a_at_b_bar @ b.T, 1.0 / b.size + a.T @ a_at_b_bar
