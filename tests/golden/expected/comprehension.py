# Derivative of comprehension (containers.py:44), written by autodiff.

import numpy as np
from autodiff.runtime import add_items, unbroadcast


def comprehension_grad(x):
    """Gradient of comprehension (containers.py:44) with respect to x."""
    # Forward sweep
    items = []
    items_bar = []
    for i in range(len(x)):
        v = x[i]
        if v > 0.0:
            items.append(v * v)
            items_bar.append(0.0)

    # Reverse sweep
    # return sum([v * v for v in x if v > 0.0])
    add_items(items_bar, [unbroadcast(1.0, like=item) for item in items])
    x_bar = np.zeros_like(x)
    for i in reversed(range(len(x))):
        # return sum([v * v for v in x if v > 0.0])
        v = x[i]
        if v > 0.0:
            # return sum([v * v for v in x if v > 0.0])
            v_times_v_bar = items_bar.pop()
            v_bar = 2.0 * v_times_v_bar * v
        else:
            v_bar = 0.0
        # return sum([v * v for v in x if v > 0.0])
        x_bar[i] = v_bar
    return x_bar
