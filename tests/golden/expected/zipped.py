# Derivative of zipped (loops.py:136), written by autodiff.

import math

import numpy as np


def zipped_grad(x, y):
    """Gradient of zipped (loops.py:136) with respect to x, y."""
    # Reverse sweep
    y_bar = np.zeros_like(y)
    x_bar = np.zeros_like(x)
    for i in reversed(range(min(len(x), len(y)))):
        # s += a * math.exp(b)
        exp_b = math.exp(y[i])
        y_bar[i] = x[i] * exp_b
        x_bar[i] = exp_b
    return x_bar, y_bar
