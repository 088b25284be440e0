# Derivative of smooth_rosenbrock (tangents.py:46), written by autodiff.

import numpy as np


def smooth_rosenbrock_grad_jvp(x, x_dot):
    """Value and tangents of smooth_rosenbrock_grad (tangents.py:46) with respect to x."""
    directions = len(x_dot)
    x_value_dot = x_dot[:, :-1]
    x_value = x[:-1]
    x_bar = np.zeros_like(x)
    x_bar_dot = np.zeros((directions, *x_bar.shape))
    x_bar_dot[:, :-1] += x_dot[:, :-1] * 2
    x_bar[:-1] -= 2 * (1 - x[:-1])
    difference_bar_dot = (x_dot[:, 1:] - x_value_dot * (2 * x_value)) * 200.0
    difference_bar = 200.0 * (x[1:] - x_value**2)
    value = 2 * x_value
    x_bar_dot[:, :-1] -= difference_bar_dot * value + x_value_dot * 2 * difference_bar
    x_bar[:-1] -= difference_bar * value
    x_bar_dot[:, 1:] += difference_bar_dot
    x_bar[1:] += difference_bar
    return x_bar, x_bar_dot
