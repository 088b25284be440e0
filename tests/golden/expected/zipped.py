# Derivative of zipped (loops.py:136), written by autodiff.

import math

import numpy as np


def zipped_grad(x, y):
    """Gradient of zipped (loops.py:136) with respect to x, y."""
    # Reverse sweep
    x_seq_bar = np.zeros_like(x)
    y_seq_bar = np.zeros_like(y)
    for i in range(min(len(x), len(y))):
        b = y[i]
        exp_b = math.exp(b)
        # for a, b in zip(x, y):
        a = x[i]
        y_seq_bar[i] = a * exp_b
        x_seq_bar[i] = exp_b
    return x_seq_bar, y_seq_bar
