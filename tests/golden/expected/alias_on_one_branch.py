# Derivative of alias_on_one_branch (memory.py:123), written by autodiff.

import numpy as np


def alias_on_one_branch_grad(x, y, first):
    """Gradient of alias_on_one_branch (memory.py:123) with respect to x, y."""
    # Forward sweep
    u = x * 2.0
    u_bar = np.zeros_like(u)
    w = y * 3.0
    w_bar = np.zeros_like(w)
    if first:
        v = u
        v_bar = u_bar
    else:
        v = w
        v_bar = w_bar
    x_1 = x[1]
    y_2 = y[2]
    v[0] = x_1 * y_2

    # Reverse sweep
    # return np.sum(u * w)
    w_bar += u
    u_bar += w
    # v[0] = x[1] * y[2]
    x_1_times_y_2_bar = v_bar[0]
    v_bar[0] = 0.0
    y_bar = np.zeros_like(y)
    y_bar[2] = x_1_times_y_2_bar * x_1
    x_bar = np.zeros_like(x)
    x_bar[1] = x_1_times_y_2_bar * y_2
    # w = y * 3.0
    y_bar += w_bar * 3.0
    # u = x * 2.0
    x_bar += u_bar * 2.0
    return x_bar, y_bar
