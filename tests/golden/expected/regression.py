# Derivative of regression (loops.py:36), written by autodiff.

import math

import numpy as np


def regression_value_and_grad(p, t, y):
    """Value and gradient of regression (loops.py:36) with respect to p."""
    # Forward sweep
    total = 0.0
    len_t = len(t)
    p_1_2 = p[1]

    # Reverse sweep
    # return total / len(t) + 0.1 * p[1] ** 2
    p_bar = np.zeros_like(p)
    p_bar[1] = 0.2 * p_1_2
    total_bar = 1.0 / len_t
    for i in range(len(t)):
        p_0 = p[0]
        exp_product = math.exp(-p[1] * t[i])
        difference = p_0 * exp_product - y[i]
        total = total + difference * difference
        # total += difference * difference
        difference_bar = 2.0 * total_bar * difference
        # difference = p[0] * math.exp(-p[1] * t[i]) - y[i]
        p_bar[1] -= difference_bar * p_0 * exp_product * t[i]
        p_bar[0] += difference_bar * exp_product
    return total / len_t + 0.1 * p_1_2**2, (p_bar,)
