# Derivative of position (calls.py:63), written by autodiff.

import math


def position_grad(self, t):
    """Gradient of position (calls.py:63) with respect to t."""
    # Forward sweep
    self_omega = self.omega

    # Reverse sweep
    return -math.sin(self_omega * t) * self_omega
