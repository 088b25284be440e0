# Derivative of <lambda> (calls.py:43), written by autodiff.

import math


def function_grad(x):
    """Gradient of <lambda> (calls.py:43) with respect to x."""
    # Forward sweep
    tanh_x = math.tanh(x)

    # Reverse sweep
    return tanh_x + x * (1 - tanh_x**2)
