# Derivative of horner (loops.py:11), written by autodiff.

import numpy as np
from autodiff.runtime import Tape


def horner_grad(a, x):
    """Gradient of horner (loops.py:11) with respect to a, x."""
    tape = Tape()

    # Forward sweep
    y = 0.0
    for k in range(len(a)):
        tape.push(y)
        y = y * x + a[k]

    # Reverse sweep
    a_bar = np.zeros_like(a)
    y_bar = 1.0
    x_bar = 0.0
    for k in reversed(range(len(a))):
        y = tape.pop()
        # y = y * x + a[k]
        a_bar[k] = y_bar
        x_bar += y_bar * y
        y_bar = y_bar * x
    return a_bar, x_bar
