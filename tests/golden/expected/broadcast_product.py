# Derivative of broadcast_product (arrays.py:29), written by autodiff.

import numpy as np


def broadcast_product_grad(m, column, s):
    """Gradient of broadcast_product (arrays.py:29) with respect to m, column, s."""
    # Reverse sweep
    # return np.sum(s * m / column)
    scaled = 1.0 / column
    column_bar = -np.sum(scaled * (s * m / column), axis=1, keepdims=True)
    return np.full_like(m, scaled * s), column_bar, np.sum(scaled * m)
