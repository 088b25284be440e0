# Derivative of chained_and_walrus (straight.py:54), written by autodiff.

import math


def chained_and_walrus_grad(x):
    """Gradient of chained_and_walrus (straight.py:54) with respect to x."""
    # Forward sweep
    a = x * x
    c = math.exp(a)

    # Reverse sweep
    return 2.0 * (c + (1.0 + a) * c) * x
