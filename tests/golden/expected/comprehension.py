# Derivative of comprehension (containers.py:44), written by autodiff.

import numpy as np


def comprehension_grad(x):
    """Gradient of comprehension (containers.py:44) with respect to x."""
    # Forward sweep
    items = []
    for i in range(len(x)):
        v = x[i]
        if v > 0.0:
            items.append(v * v)

    # Reverse sweep
    # return sum([v * v for v in x if v > 0.0])
    items_bar = [1.0] * len(items)
    x_seq_bar = np.zeros_like(x)
    for i in reversed(range(len(x))):
        # return sum([v * v for v in x if v > 0.0])
        v = x[i]
        if v > 0.0:
            # return sum([v * v for v in x if v > 0.0])
            v_bar = 2.0 * items_bar.pop() * v
        else:
            v_bar = 0.0
        # return sum([v * v for v in x if v > 0.0])
        x_seq_bar[i] = v_bar
    return x_seq_bar
