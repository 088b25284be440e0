# Derivative of energy (straight.py:18), written by autodiff.

import numpy as np


def energy_grad(x):
    """Gradient of energy (straight.py:18) with respect to x."""
    # Reverse sweep
    return np.sin(x) + x * np.cos(x)
