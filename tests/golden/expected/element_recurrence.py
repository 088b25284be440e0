# Derivative of element_recurrence (memory.py:163), written by autodiff.

import numpy as np


def element_recurrence_grad(x):
    """Gradient of element_recurrence (memory.py:163) with respect to x."""
    # Forward sweep
    y = np.empty_like(x)
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = x[i] * y[i - 1]

    # Reverse sweep
    # return y[-1]
    y_bar = np.zeros_like(y)
    y_bar[-1] = 1.0
    x_bar = np.zeros_like(x)
    for i in reversed(range(1, len(x))):
        # y[i] = x[i] * y[i - 1]
        product_bar = y_bar[i]
        y_bar[i] = 0.0
        y_bar[i - 1] += product_bar * x[i]
        x_bar[i] = product_bar * y[i - 1]
    # y[0] = x[0]
    x_bar[0] += y_bar[0]
    return x_bar
