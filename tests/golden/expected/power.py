# Derivative of power (straight.py:32), written by autodiff.

import numpy as np


def power_grad(x, p):
    """Gradient of power (straight.py:32) with respect to x, p."""
    # Reverse sweep
    # return x**3 - x**0.5 + x**p
    p_bar = x**p * np.log(1.0 if x == 0 else x)
    return p * x ** (1.0 if p == 0 else p - 1) - (0.5 * x**-0.5 - 3 * x**2), p_bar
