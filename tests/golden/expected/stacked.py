# Derivative of stacked (arrays.py:80), written by autodiff.

import numpy as np


def stacked_grad(x, y):
    """Gradient of stacked (arrays.py:80) with respect to x."""
    # Forward sweep
    concatenate_items = np.concatenate([x, y * x])
    outer_value_T = np.outer(concatenate_items, x).T

    # Reverse sweep
    # return np.sum(np.outer(np.concatenate([x, y * x]), x).T.reshape(-1) ** 2)
    outer_value_bar = (2 * outer_value_T.reshape(-1)).reshape(outer_value_T.shape).T
    concatenate_items_bar = outer_value_bar @ x
    x_bar = concatenate_items @ outer_value_bar
    y_times_x_bar = concatenate_items_bar[len(x) :]
    return x_bar + concatenate_items_bar[: len(x)] + y_times_x_bar * y
