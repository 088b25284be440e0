# Derivative of scalar_math (straight.py:37), written by autodiff.

import math


def scalar_math_grad(r, theta):
    """Gradient of scalar_math (straight.py:37) with respect to r, theta."""
    # Reverse sweep
    # return r * math.cos(theta) + math.log1p(r) * math.atan2(theta, r)
    scaled = math.log1p(r) / (r**2 + theta**2)
    r_bar = math.atan2(theta, r) / (1 + r) - scaled * theta
    return r_bar + math.cos(theta), scaled * r - r * math.sin(theta)
