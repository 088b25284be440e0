# Derivative of methods (arrays.py:85), written by autodiff.

import numpy as np


def methods_grad(a, b):
    """Gradient of methods (arrays.py:85) with respect to a, b."""
    # Forward sweep
    a_at_b_T = (a @ b).T
    ravel_a = a.ravel()

    # Reverse sweep
    # return (a @ b).T.sum(axis=0).dot(a.ravel()[:3]) + b.mean()
    b_bar = 1.0 / b.size
    ravel_a_bar = np.zeros_like(ravel_a)
    ravel_a_bar[:3] = a_at_b_T.sum(axis=0)
    a_at_b_bar = np.broadcast_to(ravel_a[:3], a_at_b_T.shape).T
    return ravel_a_bar.reshape(a.shape) + a_at_b_bar @ b.T, b_bar + a.T @ a_at_b_bar
