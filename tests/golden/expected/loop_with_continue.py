# Derivative of loop_with_continue (loops.py:104), written by autodiff.

import numpy as np


def loop_with_continue_grad(x):
    """Gradient of loop_with_continue (loops.py:104) with respect to x."""
    # Reverse sweep
    x_bar = np.zeros_like(x)
    for i in reversed(range(len(x))):
        v = x[i]
        if not v < 0.0:
            # s = s + v * v
            v_bar = 2.0 * v
        else:
            v_bar = 0.0
        x_bar[i] = v_bar
    return x_bar
