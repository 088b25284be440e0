# Derivative of methods (arrays.py:77), written by autodiff.

import numpy as np


def methods_grad(a, b):
    """Gradient of methods (arrays.py:77) with respect to a, b."""
    # Forward sweep
    a_at_b_T = (a @ b).T
    sum_a_at_b_T = a_at_b_T.sum(axis=0)
    ravel_a = a.ravel()
    ravel_a_value = ravel_a[:3]

    # Reverse sweep
    # return (a @ b).T.sum(axis=0).dot(a.ravel()[:3]) + b.mean()
    n = b.size
    ravel_a_bar = np.zeros_like(ravel_a)
    ravel_a_bar[:3] = np.broadcast_to(sum_a_at_b_T, ravel_a_value.shape)
    a_bar = np.reshape(ravel_a_bar, np.shape(a))
    a_at_b_T_bar = np.broadcast_to(ravel_a_value, sum_a_at_b_T.shape)
    a_at_b_bar = np.broadcast_to(a_at_b_T_bar, a_at_b_T.shape).T
    return a_bar + a_at_b_bar @ b.T, 1.0 / n + a.T @ a_at_b_bar
