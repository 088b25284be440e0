# Derivative of <lambda> (calls.py:43), written by autodiff.

import math


def function_grad(x):
    """Gradient of <lambda> (calls.py:43) with respect to x."""
    # Forward sweep
    tanh_x = math.tanh(x)

    # Reverse sweep
    # x * math.tanh(x)
    x_bar = tanh_x
    x_bar += x * (1 - tanh_x**2)
    return x_bar
