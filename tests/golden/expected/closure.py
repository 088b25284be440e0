# Derivative of damped (calls.py:36), written by autodiff.

import math

rate = 0.5


def damped_grad(x):
    """Gradient of damped (calls.py:36) with respect to x."""
    # Forward sweep
    exp_value = math.exp(-rate * x)

    # Reverse sweep
    return exp_value - x * exp_value * rate
