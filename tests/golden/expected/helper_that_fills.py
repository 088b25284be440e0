# Derivative of helper_that_fills (memory.py:57), written by autodiff.

import numpy as np


def helper_that_fills_grad(x):
    """Gradient of helper_that_fills (memory.py:57) with respect to x."""
    # Forward sweep
    out = np.empty_like(x)
    for i in range(len(out)):
        out[i] = 0.5 * x[i] ** 2

    # Reverse sweep
    # return np.sum(out * x)
    out_bar = x.copy()
    x_bar = out.copy()
    for i in reversed(range(len(out))):
        # out[i] = scale * x[i] ** 2
        product_bar = out_bar[i]
        out_bar[i] = 0.0
        x_bar[i] += product_bar * x[i]
    return x_bar
