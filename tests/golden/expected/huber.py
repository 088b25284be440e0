# Derivative of huber (branches.py:64), written by autodiff.

import numpy as np


def huber_grad(x, delta):
    """Gradient of huber (branches.py:64) with respect to x, delta."""
    # Forward sweep
    r = np.abs(x)
    condition = r < delta

    # Reverse sweep
    # return np.sum(np.where(r < delta, 0.5 * r**2, delta * (r - 0.5 * delta)))
    product_bar = np.where(condition, 1.0, 0.0)
    product_3_bar = np.where(condition, 0.0, 1.0)
    delta_bar = np.sum(product_3_bar * (r - 0.5 * delta))
    r_minus_product_2_bar = product_3_bar * delta
    delta_bar += np.sum(-r_minus_product_2_bar) * 0.5
    return (r_minus_product_2_bar + product_bar * 0.5 * (2 * r)) * np.sign(x), delta_bar
