# Derivative of regression (loops.py:36), written by autodiff.

import math

import numpy as np


def regression_value_and_grad(p, t, y):
    """Value and gradient of regression (loops.py:36) with respect to p."""
    # Forward sweep
    total = 0.0
    for i in range(len(t)):
        difference = p[0] * math.exp(-p[1] * t[i]) - y[i]
        total = total + difference * difference
    p_1 = p[1]
    result = total / len(t) + 0.1 * p_1**2

    # Reverse sweep
    # return total / len(t) + 0.1 * p[1] ** 2
    p_bar = np.zeros_like(p)
    p_bar[1] = 0.2 * p_1
    scaled = 1.0 / len(t)
    for i in reversed(range(len(t))):
        # total += difference * difference
        p_0 = p[0]
        t_i = t[i]
        exp_product = math.exp(-p[1] * t_i)
        difference_bar = 2.0 * scaled * (p_0 * exp_product - y[i])
        # difference = p[0] * math.exp(-p[1] * t[i]) - y[i]
        p_bar[1] -= difference_bar * p_0 * exp_product * t_i
        p_bar[0] += difference_bar * exp_product
    return result, (p_bar,)
