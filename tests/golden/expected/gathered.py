# Derivative of gathered (arrays.py:75), written by autodiff.

import numpy as np
from autodiff.runtime import others


def gathered_grad(x, places):
    """Gradient of gathered (arrays.py:75) with respect to x."""
    # Forward sweep
    condition = x > 0.0

    # Reverse sweep
    # return np.prod(x[places]) + np.sum(x[x > 0.0] ** 2)
    x_bar = np.zeros_like(x)
    x_bar[condition] = 2 * x[condition]
    np.add.at(x_bar, places, others(x[places]))
    return x_bar
