# Derivative of position (calls.py:63), written by autodiff.

import math


def position_grad(self, t):
    """Gradient of position (calls.py:63) with respect to t."""
    # Reverse sweep
    return -math.sin(self.omega * t) * self.omega
