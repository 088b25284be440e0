# Derivative of running (tangents.py:63), written by autodiff.

import numpy as np


def running_jvp(x, x_dot):
    """Value and tangents of running (tangents.py:63) with respect to x."""
    directions = len(x_dot)
    zero = np.zeros(directions)
    y = np.zeros(len(x))
    y_dot = np.zeros((directions, *y.shape))
    s = 0.0
    s_dot = zero
    for i in range(1, len(x)):
        x_i = x[i]
        y_i_minus_1 = y[i - 1]
        x_i_minus_1 = x[i - 1]
        y_dot[:, i] = (
            x_dot[:, i] * y_i_minus_1
            + y_dot[:, i - 1] * x_i
            + x_dot[:, i - 1] * np.cos(x_i_minus_1)
        )
        y[i] = x_i * y_i_minus_1 + np.sin(x_i_minus_1)
        y_i = y[i]
        s_dot = s_dot + y_dot[:, i] * (2 * y_i)
        s = s + y_i**2
    return y * s, y_dot * s + s_dot[:, None] * y
